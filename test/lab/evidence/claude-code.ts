import { openHome } from '../homes/home.ts';
import { openMockLlm } from '../mock-llm/server.ts';
import { inClosedNetwork } from '../network.ts';
import { cases } from './claude-code-cases.ts';
import { ClaudeLab, type EvidenceCase } from './claude-code-lab.ts';
import { openGate } from './gate.ts';

/**
 * Drives a real Claude Code through the states of a message's life, by the product's own hook
 * client and server, and compares what the evidence says with what the mock really got. Prints a
 * table; stores the transcripts as recordings for the unit test.
 *
 *     node --import tsx test/lab/evidence/claude-code.ts [case …]
 */
async function runCase({ name, wish, run }: EvidenceCase): Promise<boolean> {
  const mock = await openMockLlm();
  const gate = await openGate(mock.port);
  const home = openHome('claude-code', { retries: 0, ...wish, mockUrl: gate.url });
  const lab = new ClaudeLab(home, mock, gate);
  let failure: unknown;
  try {
    await run(lab);
    await lab.store(name);
  } catch (error) {
    failure = error;
    const screen = await lab.lives
      .at(-1)
      ?.terminal.capture()
      .catch(() => undefined);
    lab.notes.push(`screen: ${screen?.text.split('\n').filter(Boolean).slice(-12).join(' ⏎ ')}`);
    const hooks = lab.lives.at(-1)?.hooks.map(({ event }) => event);
    lab.notes.push(`hooks: ${hooks?.join(', ')}`);
  } finally {
    await lab.end();
    if (process.env['LAB_KEEP'] === undefined) home.remove();
    else process.stdout.write(`kept: ${home.folder}\n`);
  }
  for (const { when, route, found, model, evidence } of lab.rows) {
    process.stdout.write(`| ${name} | ${when} | ${route} | ${found} | ${model} | ${evidence} |\n`);
  }
  for (const note of lab.notes) process.stdout.write(`| ${name} | ${note} | | | | |\n`);
  if (failure)
    process.stdout.write(`FAILED ${name}: ${failure instanceof Error ? failure.stack : failure}\n`);
  return failure === undefined;
}

process.exitCode = await inClosedNetwork(async () => {
  const wanted = process.argv.slice(2);
  const chosen = cases.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  process.stdout.write(
    '| case | when | route | found | the model | evidence |\n|---|---|---|---|---|---|\n',
  );
  let failed = 0;
  for (const one of chosen) if (!(await runCase(one))) failed++;
  process.stdout.write(failed === 0 ? 'All as expected.\n' : `${failed} failed.\n`);
  return failed === 0 ? 0 : 1;
});
