import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provider } from '../../../src/providers/kimi/provider.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { cut, type Json, runCli, type Stage, type StageCase } from './stage.ts';

/**
 * Drives a real Kimi Code through the states of a message's life, and compares what the evidence
 * says with what the mock really got. Prints a table; stores the conversations as recordings for
 * the unit test.
 *
 *     node --import tsx test/lab/evidence/kimi.ts [case …]
 */
const cases: readonly StageCase[] = [
  {
    name: 'idle',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say hello');
      stage.note('before', trace, await life.judge(trace));
      stage.gate.hold(trace.mark);
      await life.submit(text);
      await stage.gate.arrived(trace.mark);
      stage.note('request open', trace, await life.finds(trace, 'landed'));
      stage.gate.release();
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
    },
  },
  {
    name: 'turn-boundary',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say second');
      life.desk.arm(text);
      stage.gate.hold(trace.mark);
      await life.submit('@@say first');
      await stage.gate.arrived(trace.mark);
      stage.note('reply given', trace, await life.finds(trace, 'landed'));
      stage.gate.release();
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('both stops', () => life.turnEnds.length === 2);
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
      const { text, trace } = life.envelope('@@say second');
      await life.submit(text);
      stage.note('queued', trace, await life.judge(trace));
      stage.gate.release();
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'esc-before-output',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@hang');
      await life.submit(text);
      await stage.gate.arrived(trace.mark);
      await life.finds(trace, 'landed');
      await life.terminal.keys('Escape');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      stage.note('Esc', trace, await life.judge(trace));
      const after = life.envelope('@@say after');
      await life.terminal.settled();
      await life.submit(after.text);
      await life.finds(after.trace, 'seen');
      await waitUntil('its turn end', () => life.turnEnds.length === 2);
      stage.note('next turn', trace, await life.judge(trace));
      stage.notes.push(`in the next request: ${rides(stage, trace.mark, after.trace.mark)}`);
    },
  },
  {
    name: 'esc-mid-answer',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say half @@hang');
      await life.submit(text);
      await life.terminal.waitFor('the words', (screen) => /● half/.test(screen.text));
      stage.note('half answered', trace, await life.judge(trace));
      await life.terminal.keys('Escape');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      stage.note('Esc', trace, await life.judge(trace));
    },
  },
  {
    name: 'dialog-esc',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@tool touch asked @@say done');
      await life.submit(text);
      await life.terminal.waitFor('the dialog', (screen) => /Run this command\?/.test(screen.text));
      stage.note('dialog open', trace, await life.judge(trace));
      await life.terminal.keys('Escape');
      await waitUntil('the turn end', () => life.turnEnds.length === 1).catch(() =>
        stage.notes.push('no turn end after Esc in the dialog'),
      );
      stage.note('Esc in the dialog', trace, await life.finds(trace, 'seen'));
      stage.notes.push(`hooks: ${life.desk.hooks.map(({ event }) => event).join(' ')}`);
    },
  },
  {
    name: 'failed-401',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@fail 401');
      await life.submit(text);
      await waitUntil('the turn end', () => life.turnEnds.length === 1, 60_000);
      stage.note('401', trace, await life.judge(trace));
      const after = life.envelope('@@say after');
      await life.terminal.settled();
      await life.submit(after.text);
      await life.finds(after.trace, 'seen');
      await waitUntil('its turn end', () => life.turnEnds.length === 2);
      stage.note('next turn', trace, await life.judge(trace));
      stage.notes.push(`in the next request: ${rides(stage, trace.mark, after.trace.mark)}`);
      stage.notes.push(
        `hooks: ${JSON.stringify(life.desk.hooks.find(({ event }) => event === 'StopFailure')?.body)}`,
      );
    },
  },
  {
    name: 'boundary-401',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@fail 401');
      life.desk.arm(text);
      await life.submit('@@say first');
      await waitUntil('both stops', () => life.turnEnds.length === 2, 60_000);
      stage.note('reply given, 401', trace, await life.judge(trace));
    },
  },
  {
    name: 'kill-before-record',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await life.submit('@@say first');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      life.desk.hold('UserPromptSubmit');
      const { text, trace } = life.envelope('@@say second');
      await life.terminal.settled();
      await life.submit(text);
      await waitUntil(
        'the hook',
        () => life.desk.hooks.filter(({ event }) => event === 'UserPromptSubmit').length === 2,
      );
      stage.note('hook held', trace, await life.judge(trace));
      await life.kill();
      const next = await stage.start();
      await next.ready();
      stage.note('killed, resumed', trace, await next.judge({ ...trace, isAlive: false }));
    },
  },
  {
    name: 'kill-after-request',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say one');
      stage.gate.hold(trace.mark);
      await life.submit(text);
      await stage.gate.arrived(trace.mark);
      await life.finds(trace, 'landed');
      await life.kill();
      stage.gate.release();
      const next = await stage.start();
      await next.ready();
      const dead = { ...trace, isAlive: false };
      stage.note('killed with the request open, resumed', trace, await next.judge(dead));
      const after = next.envelope('@@say after');
      await next.submit(after.text);
      await next.finds(after.trace, 'seen');
      stage.note('next turn', trace, await next.judge(dead));
      stage.notes.push(`in the next request: ${rides(stage, trace.mark, after.trace.mark)}`);
    },
  },
  {
    name: 'sub-agent',
    wish: { approvals: 'allow-shell' },
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@say to the main one');
      life.desk.arm(text);
      const task = { description: 'Say it', prompt: 'Do it.', subagent_type: 'coder' };
      await life.submit(`@@mcp kimi Agent ${JSON.stringify(task)} @@say from above`);
      await life.finds(trace, 'seen', 60_000).then(
        (finding) => stage.note('armed while a sub-agent worked', trace, finding),
        (error: Error) => stage.notes.push(error.message),
      );
      for (const { event, body } of life.desk.hooks)
        stage.notes.push(`${event} ${JSON.stringify(body)}`);
    },
  },
  {
    name: 'overlay',
    run: async (stage) => {
      const folder = join(stage.home.home, '.kimi-code');
      const his = join(stage.home.cwd, 'his');
      const path = join(folder, 'config.toml');
      const before = `${readFileSync(path, 'utf8')}\n[[hooks]]\nevent = "Stop"\ncommand = "echo >> ${his}"\n`;
      writeFileSync(path, before);
      writeFileSync(join(folder, 'workspaces.json'), '{}');
      writeFileSync(join(folder, 'device_id'), '0'.repeat(36));
      const first = await stage.start();
      await first.ready();
      const one = first.envelope('@@say first');
      await first.submit(one.text);
      await first.finds(one.trace, 'seen');
      await waitUntil('the turn end', () => first.turnEnds.length === 1);
      await waitUntil('his own hook', () => existsSync(his));
      await first.terminal.settled();
      await first.end();
      const links = readdirSync(join(stage.home.folder, 'run-1', 'kimi'), { withFileTypes: true });
      stage.notes.push(
        `left the run as files: ${links
          .filter((entry) => !entry.isSymbolicLink())
          .map(({ name }) => name)
          .join(' ')}`,
      );
      stage.notes.push(
        `still links: ${links
          .filter((entry) => entry.isSymbolicLink())
          .map(({ name }) => name)
          .join(' ')}`,
      );
      stage.notes.push(
        `his settings are untouched: ${readFileSync(join(folder, 'config.toml'), 'utf8') === before}`,
      );
      stage.notes.push(`his folder has: ${readdirSync(folder).join(' ')}`);
      const next = await stage.start();
      await next.ready();
      const two = next.envelope('@@say second');
      await next.submit(two.text);
      stage.note('second life', two.trace, await next.finds(two.trace, 'seen'));
      stage.note('second life', one.trace, await next.judge({ ...one.trace, isAlive: false }));
      stage.notes.push(
        `in the next request: ${stage.mock.requests.filter(({ isSide, body }) => !isSide && body.includes(two.trace.mark)).every(({ body }) => body.includes(one.trace.mark))}`,
      );
    },
  },
];

function rides(stage: Stage, mark: string, later: string): boolean {
  const carrying = stage.mock.requests.filter(
    ({ isSide, body }) => !isSide && body.includes(later),
  );
  return carrying.length > 0 && carrying.every(({ body }) => body.includes(mark));
}

await runCli({
  cli: 'kimi',
  provider,
  cases,
  prepare: ({ home }) => {
    mkdirSync(join(home, '.kimi-code', 'sessions'), { recursive: true });
    writeFileSync(join(home, '.kimi-code', 'session_index.jsonl'), '');
  },
  findRecords: ({ home }) => {
    const sessions = join(home.home, '.kimi-code', 'sessions');
    return readdirSync(sessions)
      .flatMap((place) => readdirSync(join(sessions, place)).map((id) => join(sessions, place, id)))
      .map((folder) => join(folder, 'agents', 'main', 'wire.jsonl'))
      .filter((path) => existsSync(path));
  },
  shorten: (record) =>
    /^(llm\.|usage|tools\.|config|profile)/.test(String(record['type']))
      ? undefined
      : (cut(record) as Json),
});
