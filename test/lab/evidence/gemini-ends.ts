import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import type { Json, StageCase } from './stage.ts';

/** Failures, deaths, new conversations, and what a home of the run leaves of the user’s. */
export const endCases: readonly StageCase[] = [
  {
    name: 'failed-401',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@fail 401');
      await life.submit(text);
      stage.note('401', trace, await life.finds(trace, 'removed'));
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      const after = life.envelope('@@say after');
      await life.submit(after.text);
      stage.note('next turn', after.trace, await life.finds(after.trace, 'seen'));
      stage.note('next turn', trace, await life.judge(trace));
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
      stage.note('reply given, 401', trace, await life.finds(trace, 'removed'));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'kill-before-record',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await life.submit('@@say first');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      life.desk.hold('BeforeAgent');
      const { text, trace } = life.envelope('@@say second');
      await life.submit(text);
      await waitUntil(
        'the hook',
        () => life.desk.hooks.filter(({ event }) => event === 'BeforeAgent').length === 2,
      );
      stage.note('hook held', trace, await life.judge(trace));
      await life.kill();
      const next = await stage.start();
      await next.ready();
      stage.note(
        'killed, resumed',
        trace,
        await next.finds({ ...trace, isAlive: false }, 'absent'),
      );
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
      await life.kill();
      stage.gate.release();
      const next = await stage.start();
      await next.ready();
      const dead = { ...trace, isAlive: false };
      stage.note('killed, resumed', trace, await next.finds(dead, 'landed'));
      const after = next.envelope('@@say after');
      await next.submit(after.text);
      await next.finds(after.trace, 'seen');
      stage.note('next turn', trace, await next.judge(dead));
    },
  },
  {
    name: 'boundary-kill',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      await life.submit('@@say zero');
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      const { text, trace } = life.envelope('@@say second');
      life.desk.arm(text);
      await life.submit('@@say first');
      await waitUntil('the reply', () => !life.desk.isArmed);
      // The hook that tells the reason is asked before anything is written.
      life.desk.hold('BeforeAgent');
      await waitUntil(
        'the hook',
        () => life.desk.hooks.filter(({ event }) => event === 'BeforeAgent').length >= 3,
      );
      stage.note('reply taken', trace, await life.judge(trace));
      await life.kill();
      const next = await stage.start();
      await next.ready();
      stage.note(
        'killed, resumed',
        trace,
        await next.finds({ ...trace, isAlive: false }, 'absent'),
      );
    },
  },
  {
    name: 'clear',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const first = life.envelope('@@say first');
      await life.submit(first.text);
      await life.finds(first.trace, 'seen');
      const before = life.conversation;
      await life.terminal.settled();
      await life.submit('/clear');
      await waitUntil('the new conversation', () => life.conversation !== before);
      await life.terminal.settled(1000);
      const { text, trace } = life.envelope('@@say second');
      await life.submit(text);
      stage.note(
        'after /clear',
        trace,
        await life.finds({ ...trace, conversation: before }, 'seen'),
      );
      stage.note('before /clear', first.trace, await life.judge(first.trace));
    },
  },
  {
    name: 'overlay',
    run: async (stage) => {
      const folder = join(stage.home.home, '.gemini');
      const his = join(stage.home.cwd, 'his');
      const path = join(folder, 'settings.json');
      const settings = JSON.parse(readFileSync(path, 'utf8')) as Json;
      const hook = { type: 'command', command: `echo >> ${his}` };
      const before = JSON.stringify({ ...settings, hooks: { AfterAgent: [{ hooks: [hook] }] } });
      writeFileSync(path, before);
      writeFileSync(join(folder, 'projects.json'), '{"projects":{"/srv/other":"other"}}');
      const first = await stage.start();
      await first.ready();
      const one = first.envelope('@@say first');
      await first.submit(one.text);
      await first.finds(one.trace, 'seen');
      await waitUntil('the turn end', () => first.turnEnds.length === 1);
      await waitUntil('his own hook', () => existsSync(his));
      await first.terminal.settled();
      await first.end();
      const links = readdirSync(join(stage.home.folder, 'run-1', 'home', '.gemini'), {
        withFileTypes: true,
      });
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
        `his settings are untouched: ${readFileSync(join(folder, 'settings.json'), 'utf8') === before}`,
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
