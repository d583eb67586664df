import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import type { ScreenPattern, WriteGuard, Written } from '../../src/terminals/writing.ts';
import { AttachedPerson } from '../support/attached-person.ts';
import { findRow } from '../support/find-row.ts';
import { sweep, sweepList } from '../support/sweep.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What tmux asks in the very command that types: rules 24 and 45. */
const check = test.skipIf(!hasTmux);

const paste = Buffer.from('\x1b[200~a text of one line that is longer than a few words\x1b[201~');

interface Stage {
  readonly world: TmuxWorld;
  readonly terminal: Terminal;
  /** All that the program was given; a mark behind it shows that nothing is still on its way. */
  received(): Promise<string>;
  /** The same, as far as it has come. */
  file(): string;
}

async function open(printed = 'ready'): Promise<Stage> {
  const world = await openTmuxWorld();
  const file = join(world.folder, 'received');
  const shown = join(world.folder, 'shown');
  writeFileSync(shown, printed);
  const keep = `stty raw -echo opost; : > ${file}; cat ${shown}; exec cat >> ${file}`;
  const terminal = await world.launch(['sh', '-c', keep]);
  await world.untilScreen(terminal, printed.split('\n').at(-1) ?? '');
  await waitUntil('its file', () => existsSync(file));
  let marks = 0;
  const received = async (): Promise<string> => {
    expect(await world.backend.write(terminal, Buffer.from('!'))).toBe('written');
    marks++;
    const isMarked = (text: string): boolean => text.split('!').length - 1 === marks;
    await waitUntil('the mark', () => isMarked(readFileSync(file, 'utf8')));
    return readFileSync(file, 'utf8').slice(0, -1);
  };
  return { world, terminal, received, file: () => readFileSync(file, 'utf8') };
}

async function stampOf({ world, terminal }: Pick<Stage, 'world' | 'terminal'>): Promise<string> {
  const look = await world.backend.look(terminal);
  return (look !== 'gone' && look.typingStamp) || '';
}

/** Rule 24 demands 3 s without a key; for the stamp the second must only be over. */
async function quietStamp(stage: Stage): Promise<string> {
  return waitUntil('a later second', async () => {
    const stamp = await stampOf(stage);
    const newest = Math.max(...stamp.split(/[.:]/).map(Number).filter(Number.isFinite));
    return Math.floor(Date.now() / 1000) > newest ? stamp : undefined;
  });
}

check(
  'rule 24: the stamp is the same in a look and in a write, however many panes there are',
  async () => {
    const world = await openTmuxWorld();
    // strftime pads `%3` and wider ones where it is let near them.
    for (let count = 0; count < 12; count++) {
      const terminal = await world.launch(['cat']);
      const stage = { world, terminal };
      const stamp = await stampOf(stage);
      expect(stamp).toMatch(/^\$\d+\.\d+\.\d+:$/);
      const guard = { untypedSince: stamp };
      expect(await world.backend.write(terminal, paste, { guard })).toBe('written');
    }
  },
);

check(
  'rules 22, 24, 45: a key that a person asked for counts as theirs, in this backend and the next',
  async () => {
    const stage = await open();
    const { world, terminal } = stage;
    const before = await stampOf(stage);
    const personAt = Date.now();
    const guard = { untypedSince: before };
    const key = Buffer.from('k');
    expect(await world.backend.write(terminal, key, { guard, personAt })).toBe('written');
    const pressed = Math.floor(personAt / 1000);
    for (const backend of [world.backend, world.open()]) {
      if (backend !== world.backend) await backend.start();
      const look = await backend.look(terminal);
      expect(look).toMatchObject({ humanKeyAt: pressed });
      expect(look !== 'gone' && look.typingStamp).not.toBe(before);
      if (backend !== world.backend) await backend.close();
    }
    // What was decided before it is not written any more.
    expect(await world.backend.write(terminal, Buffer.from('x'), { guard })).toBe('typed');
    expect(await stage.received()).toBe('k');
  },
);

const ways: readonly [string, (stage: Stage, guard: WriteGuard) => Promise<Written>][] = [
  ['a paste', ({ world, terminal }, guard) => world.backend.write(terminal, paste, { guard })],
  [
    'a prepared paste',
    async ({ world, terminal }, guard) => {
      const prepared = world.backend.prepare?.(terminal, paste);
      return prepared ? prepared.write(guard) : world.backend.write(terminal, paste, { guard });
    },
  ],
  [
    'a paste with its Enter',
    ({ world, terminal }, guard) =>
      world.backend.write(terminal, paste, { withEnter: true, guard }),
  ],
  [
    'an Enter',
    ({ world, terminal }, guard) => world.backend.write(terminal, Buffer.from('\r'), { guard }),
  ],
];

describe.each(sweepList(ways, 2))('rules 24, 45: %s', (name, write) => {
  const whole = `${name === 'an Enter' ? '' : paste}${/Enter/.test(name) ? '\r' : ''}`;

  check(
    'is not typed after a key of a person since the look, and is by the next look',
    async () => {
      const stage = await open();
      const person = await AttachedPerson.attach(stage.world, stage.terminal);
      const before = await quietStamp(stage);
      person.type('h');
      await waitUntil('the key', async () => (await stampOf(stage)) !== before);
      expect(await write(stage, { untypedSince: before })).toBe('typed');
      expect(await stage.received()).toBe('h');
      const after = await quietStamp(stage);
      expect(await write(stage, { untypedSince: after })).toBe('written');
      expect(await stage.received()).toBe(`h!${whole}`);
    },
  );

  check('is not typed while the screen is not what it must be', async () => {
    const stage = await open('one row\nDo you want to proceed?\n❯ 1. Yes');
    const screens: readonly WriteGuard[] = [
      { screen: { absent: ['want to proceed?'] } },
      { screen: { absent: [{ regex: '^❯ [0-9]\\. Yes$' }] } },
      { screen: { absent: [{ regex: '^❯ [0-9]', unless: 'two rows' }] } },
      { screen: { absent: ['another'], present: ['two rows'] } },
      { screen: { absent: [], present: ['one row', { regex: '^row' }] } },
      { cursor: { x: 0, y: 0 } },
    ];
    for (const guard of screens) expect(await write(stage, guard)).toBe('covered');
    expect(await stage.received()).toBe('');
    const holds: WriteGuard = {
      untypedSince: await stampOf(stage),
      screen: {
        // A dialog that is over, as a row beside it says.
        absent: ['another', { regex: '^❯ [0-9]', unless: { regex: '^one row$' } }],
        present: ['one row', { regex: '^one row$' }],
      },
    };
    expect(await write(stage, holds)).toBe('written');
    expect(await stage.received()).toBe(`!${whole}`);
  });
});

check('rule 24: only keys of people and people who come change the stamp', async () => {
  const stage = await open();
  const { world, terminal } = stage;
  const alone = await quietStamp(stage);
  expect((await world.backend.look(terminal)) as object).not.toHaveProperty('humanKeyAt');
  const person = await AttachedPerson.attach(world, terminal);
  await waitUntil('that somebody came', async () => (await stampOf(stage)) !== alone);
  const before = await quietStamp(stage);
  await world.backend.write(terminal, paste);
  person.resize(90, 20);
  world.tmux('send-keys', '-t', terminal.pane, 'x');
  await stage.received();
  expect(await stampOf(stage)).toBe(before);
  // Somebody who leaves has pressed nothing, and when they last did is still known.
  person.leave();
  const isPerson = (): boolean =>
    world.tmux('list-clients', '-F', '#{client_control_mode}').includes('0');
  await waitUntil('that they left', () => !isPerson());
  expect(await stampOf(stage)).toBe(before);
  expect(await world.backend.look(terminal)).toMatchObject({ humanKeyAt: expect.any(Number) });
});

check(
  'rule 24: people in other sessions that show it count, those at other windows do not',
  async () => {
    const stage = await open();
    const { world, terminal } = stage;
    const own = world.tmux('display-message', '-p', '-t', terminal.pane, '#S');
    world.tmux('new-session', '-d', '-t', own, '-s', 'theirs');
    world.tmux('new-window', '-d', '-n', 'notes', '-t', `=${own}:`, 'exec cat');
    const [one, other] = [
      await AttachedPerson.attach(world, terminal, own),
      await AttachedPerson.attach(world, terminal, 'theirs'),
    ];
    world.tmux('select-window', '-t', '=theirs:notes');
    const before = await quietStamp(stage);
    other.type('a note');
    await waitUntil('the note', () => other.screen().includes('a note'));
    expect(await stampOf(stage)).toBe(before);
    world.tmux(
      'select-window',
      '-t',
      `=theirs:${world.tmux('display-message', '-p', '-t', terminal.pane, '#I')}`,
    );
    expect(await stampOf(stage)).not.toBe(before);
    const both = await quietStamp(stage);
    other.type('h');
    await waitUntil('the key', async () => (await stampOf(stage)) !== both);
    const guard = { untypedSince: both };
    expect(await world.backend.write(terminal, paste, { guard })).toBe('typed');
    one.leave();
  },
);

check(
  'rule 24: of a key and a paste at the same moment, a paste that was typed came first',
  async () => {
    const stage = await open();
    const person = await AttachedPerson.attach(stage.world, stage.terminal);
    let expected = '';
    for (let n = 0; n < sweep(8, 3); n++) {
      const untypedSince = await quietStamp(stage);
      const key = String.fromCharCode(97 + n);
      const writing = stage.world.backend.write(stage.terminal, paste, { guard: { untypedSince } });
      person.type(key);
      const written = await writing;
      expect(['written', 'typed']).toContain(written);
      await waitUntil('the key', async () => (await stampOf(stage)) !== untypedSince);
      expected += written === 'written' ? `${paste}${key}` : key;
    }
    expect(await stage.received()).toBe(expected);
  },
  60_000,
);

check('rule 45: what a person has made of the terminal is named before the guard', async () => {
  const { world, terminal } = await open();
  const guard: WriteGuard = { untypedSince: 'another', screen: { absent: ['ready'] } };
  world.tmux('copy-mode', '-t', terminal.pane);
  expect(await world.backend.write(terminal, paste, { guard })).toBe('copy-mode');
  world.tmux('send-keys', '-X', '-t', terminal.pane, 'cancel');
  expect(await world.backend.write(terminal, paste, { guard: { ...guard } })).not.toBe('written');
  const stranger = { ...terminal, epoch: terminal.epoch + 1 };
  expect(await world.backend.write(stranger, paste, { guard })).toBe('gone');
});

const nasty = [
  'plain words',
  'a, b} c{ d #hash ##two #[style] #(touch x) #{pid}',
  '100% %H:%M [x] *star* ?q? back\\slash $HOME "quoted" ~til;',
  "│ ● 1. Allow once │ ❯ it's: colon; |pipe| (paren)",
];

check(
  'what is looked for is found as it is written, and is no format, style, time or command',
  async () => {
    const stage = await open(nasty.join('\n'));
    const { world, terminal } = stage;
    const pieces = nasty.flatMap((row) => row.split(' ').map((_, at) => row.split(' ').slice(at)));
    const words = [...new Set(pieces.flatMap((rest) => [rest.join(' '), rest[0] ?? '']))];
    const patterns: readonly ScreenPattern[] = [
      ...words.filter((word) => word.trim() !== ''),
      ...['plain  words', '##hash', '?qq?', '*st*', '[y]', '100%%', 'a b', '#pid', '❯ 1.'],
      ...[
        '^plain words$',
        '^plain$',
        '^│ +● [0-9]{1,2}\\. ',
        'c[{] d',
        '● .{1,3}Allow',
        '\\|pipe\\|',
        '^a,',
      ].map((regex) => ({ regex })),
    ];
    const look = await world.backend.look(terminal);
    const lines = look === 'gone' ? [] : look.lines;
    for (const pattern of patterns) {
      const isThere = findRow(lines, pattern) >= 0;
      const ask = (screen: WriteGuard['screen']): Promise<Written> =>
        world.backend.write(terminal, Buffer.from('x'), { guard: { screen } as WriteGuard });
      const said = [
        await ask({ absent: [pattern] }),
        await ask({ absent: [], present: [pattern] }),
      ];
      const expected = isThere ? ['covered', 'written'] : ['written', 'covered'];
      expect([pattern, ...said]).toEqual([pattern, ...expected]);
    }
    // As many as a provider may ever need, in one condition.
    const guard = { screen: { absent: Array.from({ length: 60 }, (_, n) => `not there ${n}`) } };
    expect(await world.backend.write(terminal, Buffer.from('x'), { guard })).toBe('written');
  },
);

check(
  'rule 12: people at the terminal are told in their own status line, and lose no key by it',
  async () => {
    const stage = await open();
    const { world, terminal } = stage;
    expect(await world.backend.tell?.(terminal, 'paste-left')).toBe(0);
    const [one, other] = [
      await AttachedPerson.attach(world, terminal),
      await AttachedPerson.attach(world, terminal),
    ];
    expect(await world.backend.tell?.(terminal, 'paste-left')).toBe(2);
    for (const person of [one, other]) {
      await waitUntil('the words', () =>
        person.screen().includes('a message stands in the composer; Enter sends it'),
      );
    }
    one.type('next');
    await waitUntil('the keys', () => stage.file().includes('next'));
    await waitUntil('their end', () => !one.screen().includes('a message stands'));
  },
);
