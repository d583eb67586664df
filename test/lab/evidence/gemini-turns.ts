import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import type { StageCase } from './stage.ts';

/** Messages that meet an idle or a busy Gemini, a person who interrupts, a dialog. */
export const turnCases: readonly StageCase[] = [
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
      const { text, trace } = life.envelope('@@say second');
      await life.submit(text);
      await life.terminal.waitFor('the queue', (screen) => /Queued/.test(screen.text));
      stage.note('queued', trace, await life.judge(trace));
      stage.gate.release();
      stage.note('answered', trace, await life.finds(trace, 'seen'));
      await waitUntil('both turn ends', () => life.turnEnds.length === 2);
    },
  },
  {
    name: 'busy-queued-esc',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const first = life.envelope('@@say first @@hang');
      await life.submit(first.text);
      await life.terminal.waitFor('the first words', (screen) => /✦ first/.test(screen.text));
      const { text, trace } = life.envelope('@@say second');
      await life.submit(text);
      await life.terminal.waitFor('the queue', (screen) => /Queued/.test(screen.text));
      await life.terminal.keys('Escape');
      stage.note('queued, then Esc', trace, await life.finds(trace, 'seen'));
      stage.note(
        'the cancelled one, half answered',
        first.trace,
        await life.finds(first.trace, 'removed'),
      );
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
      stage.note('Esc', trace, await life.finds(trace, 'removed'));
      await waitUntil('the turn end', () => life.turnEnds.length === 1);
      await life.kill();
      const next = await stage.start();
      await next.ready();
      stage.note('resumed', trace, await next.judge({ ...trace, isAlive: false }));
    },
  },
  {
    name: 'esc-in-tool',
    wish: { approvals: 'allow-shell' },
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@tool touch began; sleep 60');
      await life.submit(text);
      stage.note('tool runs', trace, await life.finds(trace, 'seen'));
      await life.terminal.waitFor('the tool', () => existsSync(join(stage.home.cwd, 'began')));
      await life.terminal.keys('Escape');
      await life.terminal.waitFor('the end', (screen) => /cancelled/i.test(screen.text));
      await life.terminal.settled();
      stage.note('Esc', trace, await life.judge(trace));
      const after = life.envelope('@@say after');
      await life.submit(after.text);
      await life.finds(after.trace, 'seen');
      stage.note('next turn', trace, await life.judge(trace));
      stage.notes.push(
        `in the next request: ${stage.mock.requests.filter(({ isSide, body }) => !isSide && body.includes(after.trace.mark)).every(({ body }) => body.includes(trace.mark))}`,
      );
    },
  },
  {
    name: 'dialog',
    run: async (stage) => {
      const life = await stage.start();
      await life.ready();
      const { text, trace } = life.envelope('@@tool touch asked @@say done');
      await life.submit(text);
      await life.terminal.waitFor('the dialog', (screen) => /Allow execution of/.test(screen.text));
      stage.note('dialog open', trace, await life.finds(trace, 'seen'));
      await life.terminal.keys('Escape');
      await life.terminal.waitFor('the composer', (screen) =>
        /Type your message/.test(screen.text),
      );
      await life.terminal.settled();
      stage.note('Esc in the dialog', trace, await life.judge(trace));
      stage.notes.push(`hooks: ${life.desk.hooks.map(({ event }) => event).join(' ')}`);
    },
  },
];
