import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askers } from '../asked/askers.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { inClosedNetwork } from '../network.ts';
import { pins } from '../versions.ts';
import { type AnswersCase, answersCases, type Kind } from './kinds.ts';
import { LabQuestions } from './lab-questions.ts';
import { must, situations } from './situations.ts';

/**
 * Each provider's channel of questions against the real CLI, without a daemon: what it tells, and
 * what becomes of a decision.
 *
 *     npm run lab:questions [-- codex …] [--kind command] [--only allowed,denied] [--times N]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: 'string' },
    only: { type: 'string' },
    times: { type: 'string', default: '1' },
  },
});
const running = new Set<LabQuestions>();

process.exitCode = await inClosedNetwork(async () => {
  endOnSignals(() => Promise.allSettled([...running].map((lab) => lab.close())));
  say('| CLI | asked about | what happens | seen | n |\n|---|---|---|---|---|');
  let failed = 0;
  for (const cli of answersCases) {
    if (positionals.length > 0 && !positionals.includes(cli.cli)) continue;
    for (const kind of cli.kinds) {
      if (values.kind !== undefined && values.kind !== kind.name) continue;
      for (const situation of Object.keys(situations)) {
        if (values.only?.split(',').includes(situation) === false) continue;
        if (!(await repeat(cli, kind, situation))) failed++;
      }
    }
  }
  return failed === 0 ? 0 : 1;
});

async function repeat(cli: AnswersCase, kind: Kind, situation: string): Promise<boolean> {
  const seen = new Map<string, number>();
  let isGood = true;
  for (let n = 0; n < Number(values.times); n++) {
    try {
      const words = await runOnce(cli, kind, situation);
      seen.set(words, (seen.get(words) ?? 0) + 1);
    } catch (error) {
      isGood = false;
      say(
        `FAILED ${cli.cli} ${kind.name}, ${situation}: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  for (const [words, n] of seen) {
    say(`| ${cli.cli} ${pins[cli.cli].version} | ${kind.name} | ${situation} | ${words} | ${n} |`);
  }
  return isGood;
}

async function runOnce(cli: AnswersCase, kind: Kind, situation: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-lab-questions-'));
  const consent = cli.isRemote && askers[cli.cli]?.consent;
  const wish = {
    ...{ ...kind.wish?.(folder), cli: cli.cli, provider: cli.provider },
    ...(consent ? { consent, role: { hasRemoteApprovals: true } } : {}),
  };
  const lab = await LabQuestions.open(wish);
  running.add(lab);
  try {
    await lab.life.terminal.prompt(kind.ask(lab));
    const [question] = await lab.asked();
    await lab.until('the dialog', async () =>
      cli.dialog.test((await lab.life.terminal.capture()).text),
    );
    must(question.text.includes(kind.says), `its text is ${question.text}`);
    must(question.asks === kind.asks, `it asks for ${question.asks}`);
    must(question.isSubAgents === kind.isSubAgents, `isSubAgents is ${question.isSubAgents}`);
    must(question.decisions.length === 2, `it can be answered ${question.decisions.join()}`);
    return await (situations[situation] ?? unknownSituation)({ lab, cli, kind, question });
  } finally {
    await lab.close();
    running.delete(lab);
    rmSync(folder, { recursive: true, force: true });
  }
}

function unknownSituation(): never {
  throw new Error('There is no such situation.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
