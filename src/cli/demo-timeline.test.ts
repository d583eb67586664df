import { expect, test, vi } from 'vitest';
import type { Happening } from '../demo/moment.ts';
import { crashWindows } from '../demo/report.ts';
import { Timeline } from './demo-timeline.ts';

// Also where somebody runs the tests on a terminal.
vi.stubEnv('NO_COLOR', '1');

const agents = ['lead', 'ada', 'ben', 'cleo'];

test('a message is an arrow from its sender across the tracks to its recipient', () => {
  const { draw } = openTimeline(80);
  expect(draw(send('lead', 'ada', 'job 3'))).toBe('  1.0s  ├─ job 3 ──►│           │           │');
  expect(draw(send('cleo', 'lead', 'done 12'), 2000)).toBe(
    '  2.0s  │◄──────────┼───────────┼─ done 12 ─┤',
  );
});

test('an agent that is not up has no track, and what is sent to it is said to wait', () => {
  const { draw } = openTimeline(120);
  expect(draw({ what: 'killed', agent: 'ben' })).toContain('✗');
  const line = draw(send('lead', 'ben', 'job 4'));
  expect(line).toContain('►·');
  expect(line).toContain('ben is not up: it waits in the ledger');
});

test('ordinary messages are a sample that says how many it leaves out; kills and repeats are all drawn', () => {
  const { draw } = openTimeline(80);
  expect(draw(send('lead', 'ada', 'job 1'), 1000)).toContain('job 1');
  expect(draw(send('lead', 'ben', 'job 2'), 1001)).toBeUndefined();
  expect(draw(send('lead', 'cleo', 'job 3'), 1002)).toBeUndefined();
  for (const agent of agents) expect(draw({ what: 'killed', agent }, 1003)).toContain('✗');
  for (const agent of agents) {
    const repeated = { what: 'repeated', agent, texts: ['job 1', 'job 4'], known: 1 } as const;
    expect(draw(repeated, 1003)).toContain('2 marked as repeat: 1 was');
  }
  expect(draw({ what: 'started', agent: 'ben', pid: 7, life: 2 }, 1004)).toContain('pid 7');
  expect(draw(send('lead', 'ben', 'job 5'), 9000)).toContain('and 2 more messages');
});

test('a send repeated under the same key is drawn once in each life of its sender', () => {
  const { draw } = openTimeline(80);
  const again = { ...send('ada', 'lead', 'done 1'), duplicate: true };
  expect(draw(again)).toContain('same key');
  expect(draw(again)).toBeUndefined();
  draw({ what: 'started', agent: 'ada', pid: 7, life: 2 });
  expect(draw(again)).toContain('same key');
});

test('no line is wider than the screen, and every note fits whole from 80 columns on', () => {
  const pid = 4_194_304;
  for (const columns of [60, 80, 100, 120]) {
    const { draw } = openTimeline(columns);
    const happenings: Happening[] = [
      ...crashWindows.map((window) => ({ what: 'killed', agent: 'cleo', window }) as const),
      { what: 'started', agent: 'cleo', pid, life: 2 },
      { what: 'repeated', agent: 'cleo', texts: Array(12).fill('job 1'), known: 12 },
      { ...send('cleo', 'lead', 'done 12345'), duplicate: true },
      { what: 'calm' },
    ];
    for (const happening of happenings) {
      const line = draw(happening, 3_599_900) ?? '';
      expect([...line].length).toBeLessThanOrEqual(columns);
      if (columns >= 80) expect(line).not.toContain('…');
    }
  }
});

function openTimeline(columns: number) {
  const timeline = new Timeline(agents, columns, 10);
  const draw = (happening: Happening, atMs = 1000): string | undefined =>
    timeline.draw({ ...happening, atMs });
  for (const agent of agents) draw({ what: 'started', agent, pid: 1, life: 1 }, 0);
  return { draw };
}

function send(from: string, to: string, text: string) {
  return { what: 'sent', from, to, text, duplicate: false } as const;
}
