import { describe, expect, test } from 'vitest';
import type { Cause } from './cause.ts';
import { decide } from './decide.ts';
import { markTold, type Open, type Path, remember } from './remember.ts';

const start = 1_000_000;
const paths: readonly Path[] = ['ring', 'desktop', 'command', 'inbox'];

/** Looks at moments of a test's own, in ms after the start, and tells of what is due. */
class Story {
  #open: readonly Open[] = [];
  readonly #last = new Map<Path, number>();

  look(atMs: number, ...causes: readonly Cause[]): readonly string[] {
    const at = moment(atMs);
    const { open } = remember(this.#open, { causes, unseen: new Set() }, at);
    const { tell } = decide(open, at, paths, this.#last);
    this.#open = open;
    for (const { path, open: due } of tell) {
      this.#last.set(path, atMs);
      this.#open = markTold(this.#open, due, path);
    }
    return tell.map(({ path, open: due }) => {
      const names = due.map(({ cause }) => cause.agent.name);
      return `${path}: ${names.length > 3 ? names.length : names.join(' ')}`;
    });
  }
}

function moment(ms: number) {
  return { now: start + ms, monotonicMs: ms };
}

function asks(name: string, sinceMs: number, more: Partial<Cause> = {}): Cause {
  return {
    kind: 'question',
    ...{ agent: { id: `agt_${name}`, name }, epoch: 1, since: start + sinceMs },
    ...{ text: 'Proceed?', isKnown: true, next: `signalbox attach ${name}` },
    ...more,
  };
}

describe('rule 48: what is told, by which path and when', () => {
  test('a question rings at once, is shown after 5 s and is in the inbox after 30 s, each once', () => {
    const story = new Story();
    expect(story.look(0, asks('a', 0))).toEqual(['ring: a']);
    expect(story.look(4999, asks('a', 0))).toEqual([]);
    expect(story.look(5000, asks('a', 0))).toEqual(['desktop: a', 'command: a']);
    expect(story.look(29_999, asks('a', 0))).toEqual([]);
    expect(story.look(30_000, asks('a', 0))).toEqual(['inbox: a']);
    expect(story.look(3_600_000, asks('a', 0))).toEqual([]);
  });

  test('a question that is answered after 4.9 s is shown nowhere', () => {
    const story = new Story();
    story.look(0, asks('a', 0));
    for (const ms of [4900, 5000, 30_000, 60_000]) expect(story.look(ms)).toEqual([]);
  });

  test('whoever types in that terminal is not shown it before 10 s without a key', () => {
    const story = new Story();
    const typed = (ms: number) => asks('a', 0, { typedAt: start + ms });
    story.look(0, typed(-2000));
    expect(story.look(7999, typed(-2000))).toEqual([]);
    expect(story.look(9000, typed(6000))).toEqual([]);
    expect(story.look(15_999, typed(6000))).toEqual([]);
    expect(story.look(16_000, typed(6000))).toEqual(['desktop: a', 'command: a']);
  });

  test('a key of the future, from before the clock was set back, holds nothing up', () => {
    const story = new Story();
    story.look(0, asks('a', 0, { typedAt: start + 3_600_000 }));
    const typed = asks('a', 0, { typedAt: start + 3_600_000 });
    expect(story.look(5000, typed)).toEqual(['desktop: a', 'command: a']);
  });

  test('fifty agents that ask at once are one notification, and those after them one more', () => {
    const story = new Story();
    const all = Array.from({ length: 60 }, (_, i) => asks(`a${i}`, i < 50 ? 0 : 3000));
    story.look(3000, ...all);
    expect(story.look(5000, ...all)).toEqual(['desktop: 50', 'command: 50']);
    // The others are due at 8 s, and wait until 10 s have passed since the first.
    expect(story.look(8000, ...all)).toEqual(['command: 10']);
    expect(story.look(14_999, ...all)).toEqual([]);
    expect(story.look(15_000, ...all)).toEqual(['desktop: 10']);
    expect(story.look(60_000, ...all)).toEqual(['inbox: 60']);
  });

  test('agents that ask nearly at once go together, and nobody waits longer than 2 s for others', () => {
    const story = new Story();
    const together = [asks('a', 0), asks('b', 800), asks('c', 1500)];
    story.look(1500, ...together);
    expect(story.look(5000, ...together)).toEqual([]);
    expect(story.look(6500, ...together)).toEqual(['desktop: a b c', 'command: a b c']);
    const endless = new Story();
    const stream = (ms: number) =>
      Array.from({ length: ms / 1000 }, (_, i) => asks(`x${i}`, i * 1000));
    for (let ms = 1000; ms < 7000; ms += 1000) {
      expect(endless.look(ms, ...stream(ms)).filter((told) => !told.startsWith('ring'))).toEqual(
        [],
      );
    }
    expect(endless.look(7000, ...stream(7000)).slice(1)).toEqual([
      ...['desktop: x0 x1 x2', 'command: x0 x1 x2'],
    ]);
  });

  test('a failed turn and a message are shown, and are no notice of their own', () => {
    const story = new Story();
    const failed = asks('f', 0, { kind: 'failed' });
    const mail = asks('m', 0, { kind: 'unread', message: { id: 'msg_1', seq: 1 } });
    expect(story.look(0, failed, mail)).toEqual(['ring: f m']);
    expect(story.look(5000, failed, mail)).toEqual(['desktop: f m', 'command: f m']);
    expect(story.look(90_000, failed, mail)).toEqual([]);
  });

  test('after a restart of ours the age goes by the wall clock', () => {
    const story = new Story();
    expect(story.look(100, asks('a', -40_000))).toEqual([
      ...['ring: a', 'desktop: a', 'command: a', 'inbox: a'],
    ]);
  });

  test('it is known when something comes due next', () => {
    const { open } = remember([], { causes: [asks('a', 0)], unseen: new Set() }, moment(0));
    const rung = markTold(open, open, 'ring');
    const at = moment(0);
    expect(decide(rung, at, paths)).toEqual({ tell: [], nextInMs: 5000 });
    expect(decide([], at, paths)).toEqual({ tell: [], nextInMs: undefined });
  });
});

describe('rule 48: what counts as the same question', () => {
  test('an agent that flips from waiting to idle and back asks once', () => {
    const story = new Story();
    story.look(0, asks('a', 0));
    expect(story.look(2000)).toEqual([]);
    expect(story.look(2500, asks('a', 2400))).toEqual([]);
    expect(story.look(5000, asks('a', 2400))).toEqual(['desktop: a', 'command: a']);
    // Between two looks, too.
    expect(story.look(5500, asks('a', 5400))).toEqual([]);
    expect(story.look(30_000)).toEqual([]);
    expect(story.look(31_000, asks('a', 30_900))).toEqual(['ring: a']);
  });

  test('one that asks the same again later, or after a person has typed, asks anew', () => {
    const story = new Story();
    story.look(0, asks('a', 0));
    story.look(1000);
    expect(story.look(4000, asks('a', 4000))).toEqual(['ring: a']);
    const typed = asks('a', 5000, { typedAt: start + 4500 });
    expect(story.look(5000, typed)).toEqual(['ring: a']);
  });

  test('the next question of the same dialog is another one', () => {
    const story = new Story();
    story.look(0, asks('a', 0));
    story.look(5000, asks('a', 0));
    const next = asks('a', 0, { text: 'Delete it?' });
    expect(story.look(6000, next)).toEqual(['ring: a']);
    expect(story.look(10_999, next)).toEqual([]);
    expect(story.look(11_000, next)).toEqual(['command: a']);
    expect(story.look(15_000, next)).toEqual(['desktop: a']);
  });

  test('a question whose words are read later, or that counts seconds, is the same one', () => {
    const story = new Story();
    story.look(0, asks('a', 0, { text: 'a dialog is open', isKnown: false }));
    expect(story.look(1000, asks('a', 0, { text: 'Proceed? (12 s)' }))).toEqual([]);
    expect(story.look(2000, asks('a', 0, { text: 'Proceed? (11 s)' }))).toEqual([]);
    expect(story.look(3000, asks('a', 0, { text: 'may it go on?', isKnown: false }))).toEqual([]);
  });

  test('rule 41: an agent that nobody sees has not been answered', () => {
    const [cause] = [asks('a', 0)];
    const { open } = remember([], { causes: [cause], unseen: new Set() }, moment(0));
    const hidden = remember(open, { causes: [], unseen: new Set(['agt_a']) }, moment(60_000));
    expect([hidden.open.length, hidden.over]).toEqual([1, []]);
    const gone = remember(hidden.open, { causes: [], unseen: new Set() }, moment(61_000));
    expect([gone.open, gone.over.length]).toEqual([[], 1]);
  });
});
