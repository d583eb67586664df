import { openHome } from '../homes/home.ts';
import { openMockLlm } from '../mock-llm/server.ts';
import { inClosedNetwork } from '../network.ts';
import { cases } from './codex-cases.ts';
import { faults } from './codex-faults.ts';
import { CodexLab, type EvidenceCase } from './codex-lab.ts';
import { openGate } from './gate.ts';

/**
 * Drives a real Codex through the states of a message's life, injecting as the product does, and
 * compares what the evidence says with what the mock really got. Prints a table; stores the
 * rollouts as recordings for the unit test.
 *
 *     node --import tsx test/lab/evidence/codex.ts [case …]
 */

async function runCase({ name, wish, run }: EvidenceCase): Promise<boolean> {
  const mock = await openMockLlm();
  const gate = await openGate(mock.port);
  const home = openHome('codex', { retries: 0, ...wish, mockUrl: gate.url });
  const lab = new CodexLab(home, mock, gate);
  let failure: unknown;
  try {
    await run(lab);
    await lab.store(name);
  } catch (error) {
    failure = error;
  } finally {
    await lab.end();
    home.remove();
  }
  for (const { when, found, model, evidence } of lab.rows) {
    process.stdout.write(`| ${name} | ${when} | ${found} | ${model} | ${evidence} |\n`);
  }
  for (const note of lab.notes) process.stdout.write(`| ${name} | ${note} | | | |\n`);
  if (failure)
    process.stdout.write(`FAILED ${name}: ${failure instanceof Error ? failure.stack : failure}\n`);
  return failure === undefined;
}

process.exitCode = await inClosedNetwork(async () => {
  const wanted = process.argv.slice(2);
  const chosen = [...cases, ...faults].filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  );
  process.stdout.write('| case | when | found | the model | evidence |\n|---|---|---|---|---|\n');
  let failed = 0;
  for (const one of chosen) if (!(await runCase(one))) failed++;
  process.stdout.write(failed === 0 ? 'All as expected.\n' : `${failed} failed.\n`);
  return failed === 0 ? 0 : 1;
});
