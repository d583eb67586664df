import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { provider } from '../../../src/providers/copilot/provider.ts';
import { parseObject } from '../../../src/shared/json.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { HookedLife } from './hooked-life.ts';
import { cut, type Json, runCli, type Stage, type StageCase } from './stage.ts';

/**
 * Drives a real Copilot CLI through the states of a message's life, injecting through its extension
 * as the product does, and compares what the evidence says with what the mock really got. Prints a
 * table; stores the events as recordings.
 *
 *     node --import tsx test/lab/evidence/copilot.ts [case …]
 */
async function inject(life: HookedLife, script: string) {
  const { text, trace } = life.envelope(script);
  const { mark, at } = trace;
  const signal = AbortSignal.timeout(10_000);
  const injected = await life.native.inject({ mark, at, text, begin: async () => true, signal });
  if (injected.outcome !== 'taken') throw new Error(JSON.stringify(injected));
  return { ...trace, route: 'native', receipt: injected.receipt ?? '' } as const;
}

const cases: readonly StageCase[] = [
  {
    name: 'idle',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace: never } = life.envelope('@@say never');
      stage.note('never given', never, await life.judge({ ...never, receipt: text.slice(0, 5) }));
      const trace = await inject(life, '@@say hello');
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      const second = await inject(life, '@@say again');
      stage.note('second', second, await life.finds(second, 'seen'));
    },
  },
  {
    name: 'turn-boundary',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say second');
      life.desk.arm(text);
      await life.submit('@@say first');
      stage.note('reply given', trace, await life.finds(trace, 'seen'));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'busy-text',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      stage.gate.hold('@@say first');
      await life.submit('@@say first');
      await stage.gate.arrived('@@say first');
      const trace = await inject(life, '@@say second');
      stage.note('queued', trace, await life.finds(trace, 'held'));
      stage.gate.release();
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'busy-tool',
    wish: { approvals: 'allow-shell' },
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await life.submit('@@tool touch began; while [ ! -e go ]; do sleep 0.2; done @@say first');
      await life.terminal.waitFor('the tool', () => existsSync(join(stage.home.cwd, 'began')));
      const trace = await inject(life, '@@say second');
      stage.note('queued', trace, await life.finds(trace, 'held'));
      writeFileSync(join(stage.home.cwd, 'go'), '');
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'dialog-esc',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await life.submit('@@tool touch asked @@say done');
      await life.terminal.waitFor('the dialog', ({ text }) => /Do you want to run/.test(text));
      const trace = await inject(life, '@@say second');
      stage.note('dialog open', trace, await life.finds(trace, 'held'));
      await life.terminal.keys('Escape');
      stage.note('Esc in the dialog', trace, await life.finds(trace, 'absent'));
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      const after = await inject(life, '@@say after');
      stage.note('next', after, await life.finds(after, 'seen'));
      stage.note('next', trace, await life.judge(trace));
    },
  },
  {
    name: 'busy-esc',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const first = await inject(life, '@@say first @@hang');
      await life.terminal.waitFor('the words', ({ text }) => /● first/.test(text));
      const trace = await inject(life, '@@say second');
      await life.finds(trace, 'held');
      stage.note('half answered', first, await life.judge(first));
      await life.terminal.keys('Escape');
      await delay(300);
      await life.terminal.keys('Escape');
      stage.note('Esc Esc', trace, await life.finds(trace, 'seen'));
      stage.note('the cancelled one', first, await life.judge(first));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'esc-before-output',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const trace = await inject(life, '@@hang');
      await stage.gate.arrived(trace.mark);
      stage.note('request open', trace, await life.finds(trace, 'landed'));
      await life.terminal.keys('Escape');
      await delay(300);
      await life.terminal.keys('Escape');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      stage.note('Esc Esc', trace, await life.judge(trace));
      const after = await inject(life, '@@say after');
      await life.finds(after, 'seen');
      stage.note('next turn', trace, await life.judge(trace));
      stage.notes.push(`in the next request: ${rides(stage, trace.mark, after.mark)}`);
    },
  },
  {
    name: 'failed-401',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const trace = await inject(life, '@@fail 401');
      await waitUntil('the turn end', () => life.turnEnds.length === 1, 120_000);
      stage.note('401', trace, await life.judge(trace));
      const after = await inject(life, '@@say after');
      await life.finds(after, 'seen');
      stage.note('next turn', trace, await life.judge(trace));
      stage.notes.push(`in the next request: ${rides(stage, trace.mark, after.mark)}`);
    },
  },
  {
    name: 'kill-after-request',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const first = await inject(life, '@@say first');
      await life.finds(first, 'seen');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      const trace = await inject(life, '@@hang');
      await stage.gate.arrived(trace.mark);
      await life.kill();
      const next = await stage.start();
      await waitUntil('its screen', async () =>
        /❯|in use/.test((await next.terminal.capture()).text),
      );
      stage.note(
        'killed at the request, resumed',
        trace,
        await next.judge({ ...trace, isAlive: false }),
      );
      stage.note('earlier', first, await next.judge({ ...first, isAlive: false }));
    },
  },
  {
    name: 'kill-mid-answer',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const trace = await inject(life, '@@say half @@hang');
      await life.terminal.waitFor('the words', ({ text }) => /● half/.test(text));
      // Its record is on disk by now; the answer never will be.
      await waitUntil('the record', () =>
        records(stage).some((path) => holdsPrompt(path, trace.mark)),
      );
      await life.kill();
      const next = await stage.start();
      await waitUntil('its screen', async () =>
        /❯|in use/.test((await next.terminal.capture()).text),
      );
      stage.note(
        'killed mid-answer, resumed',
        trace,
        await next.judge({ ...trace, isAlive: false }),
      );
      stage.notes.push(
        (await next.terminal.settled(1000)).text.split('\n').filter(Boolean).slice(-12).join(' / '),
      );
    },
  },
  {
    name: 'queued-kill',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await life.submit('@@say first @@hang');
      await life.terminal.waitFor('the words', ({ text }) => /● first/.test(text));
      const trace = await inject(life, '@@say second');
      await life.finds(trace, 'held');
      await life.kill();
      const next = await stage.start();
      await waitUntil('its screen', async () =>
        /❯|in use/.test((await next.terminal.capture()).text),
      );
      stage.note('queued, killed, resumed', trace, await next.judge({ ...trace, isAlive: false }));
    },
  },
  {
    name: 'clear',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const first = await inject(life, '@@say first');
      await life.finds(first, 'seen');
      await life.terminal.settled();
      await life.submit('/clear');
      await waitUntil('its extension gone', () => life.native.blocked() !== undefined);
      stage.notes.push(`blocked: ${life.native.blocked()}`);
      await waitUntil('its extension back', () => life.native.blocked() === undefined);
      const trace = await inject(life, '@@say second');
      stage.note('after /clear', trace, await life.finds(trace, 'seen'));
      stage.note('before /clear', first, await life.judge(first));
    },
  },
];

function rides(stage: Stage, mark: string, later: string): boolean {
  const carrying = stage.mock.requests.filter(
    ({ isSide, body }) => !isSide && body.includes(later),
  );
  return carrying.length > 0 && carrying.every(({ body }) => body.includes(mark));
}

function records({ home }: Stage): readonly string[] {
  const folder = join(home.home, '.copilot', 'session-state');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).map((id) => join(folder, id, 'events.jsonl'));
  return files.filter((path) => existsSync(path));
}

function holdsPrompt(path: string, mark: string): boolean {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.some(
    (line) => line.includes(mark) && parseObject(line)?.['type'] === 'user.message',
  );
}

await runCli({
  cli: 'copilot',
  provider,
  cases,
  // Hooks need a repository.
  prepare: ({ cwd }) => void execFileSync('git', ['init', '-q'], { cwd }),
  findRecords: records,
  shorten: (record) =>
    /^(?:hook|tool|system)\./.test(String(record['type'])) ? undefined : (cut(record) as Json),
});
