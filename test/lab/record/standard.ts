import type { Composer } from '../../../src/agents/status.ts';
import type { Scenario } from './scenario.ts';
import type { LabSession } from './session.ts';

/** Where the CLIs differ in what they all can do. */
export interface Traits {
  /** What an empty composer shows, typed as a draft; unset where it shows nothing. */
  readonly placeholder?: string;
  /** What stands for a long paste; unset where the paste itself is shown. */
  readonly pasted?: RegExp;
  /** What can be told of a draft of spaces with the cursor at its start; `unknown` unless told. */
  readonly spacesAtHome?: Composer;
  /** What can be proven about an empty composer while a turn runs. */
  readonly busyComposer: Composer;
  /** The question before a shell command. */
  readonly permission: RegExp;
  /** What of a queued prompt is shown. */
  readonly queued: RegExp;
  readonly error401: RegExp;
  /** The end of all tries. */
  readonly error500: RegExp;
  /** Answers that look like what the CLI itself draws, by name; `\n` is a new line. */
  readonly forgeries: Readonly<Record<string, string>>;
  /** Makes it give up early, where it can be told to. */
  readonly fewRetries?: Pick<Scenario, 'args' | 'env' | 'files'>;
}

/** The states that every CLI has. */
export function standardScenarios(traits: Traits): readonly Scenario[] {
  return [
    ...restScenarios(),
    ...draftScenarios(traits),
    ...turnScenarios(traits),
    ...endScenarios(traits),
  ];
}

function restScenarios(): readonly Scenario[] {
  return [
    {
      // Before anything is drawn; a screen cannot say more about that than that it does not know.
      name: 'blank',
      expect: { status: 'starting', composer: 'unknown' },
      frames: 1,
      drive: async () => undefined,
    },
    {
      name: 'started',
      expect: { status: 'idle', composer: 'empty' },
      drive: (session) => session.ready(),
    },
  ];
}

/** A person has begun to write: nothing may be pasted, whatever the draft looks like. */
function draftScenarios({ placeholder, pasted, spacesAtHome }: Traits): readonly Scenario[] {
  const draft = (name: string, write: (session: LabSession) => Promise<void>): Scenario => ({
    name,
    expect: { status: 'idle', composer: 'draft' },
    drive: async (session) => {
      await session.ready();
      await write(session);
    },
  });
  const typed = async (session: LabSession, text: string): Promise<void> => {
    await session.terminal.type(text);
    await session.shows(new RegExp(escapePattern(text)));
  };
  return [
    draft('draft-line', (session) => typed(session, 'Please look at the failing test')),
    draft('draft-letter', async (session) => {
      const { cursor } = await session.terminal.capture();
      await session.terminal.type('y');
      await session.cursorAt(cursor.x + 1);
    }),
    draft('draft-spaces', async (session) => {
      const { cursor } = await session.terminal.capture();
      await session.terminal.type('   ');
      await session.cursorAt(cursor.x + 3);
    }),
    {
      ...draft('draft-spaces-home', async (session) => {
        const { cursor } = await session.terminal.capture();
        await session.terminal.type('   ');
        await session.cursorAt(cursor.x + 3);
        await session.terminal.keys('C-a');
        await session.cursorAt(cursor.x);
      }),
      expect: { status: 'idle', composer: spacesAtHome ?? 'unknown' },
    },
    draft('draft-lines', async (session) => {
      await session.terminal.paste('first line\nsecond line\nthird line');
      await session.shows(/third line/);
    }),
    draft('draft-blank-lines', async (session) => {
      await session.terminal.paste('first line\n\nlast line');
      await session.shows(/last line/);
    }),
    draft('draft-long', async (session) => {
      await session.terminal.paste(`${'a sentence that goes on and on '.repeat(12)}until here`);
      await session.shows(/until\s+here/);
    }),
    draft('draft-pasted', async (session) => {
      const lines = Array.from({ length: 60 }, (_, at) => `pasted line ${at + 1} of a longer text`);
      await session.terminal.paste(lines.join('\n'));
      await session.shows(pasted ?? /pasted line 60/);
    }),
    draft('draft-home', async (session) => {
      const { cursor } = await session.terminal.capture();
      await typed(session, 'the cursor goes back');
      await session.terminal.keys('C-a');
      await session.cursorAt(cursor.x);
    }),
    ...(placeholder === undefined
      ? []
      : [
          draft('draft-placeholder', async (session) => {
            const { cursor } = await session.terminal.capture();
            await session.terminal.type(placeholder);
            await session.cursorAt(cursor.x + placeholder.length);
          }),
          draft('draft-placeholder-home', async (session) => {
            const { cursor } = await session.terminal.capture();
            await session.terminal.type(placeholder);
            await session.cursorAt(cursor.x + placeholder.length);
            await session.terminal.keys('C-a');
            await session.cursorAt(cursor.x);
          }),
        ]),
  ];
}

function turnScenarios(traits: Traits): readonly Scenario[] {
  const busy = { status: 'processing', composer: traits.busyComposer } as const;
  const streamTo = async (session: LabSession, word: number, everyMs = 20): Promise<void> => {
    await session.ready();
    await session.ask(`@@stream ${60_000 / everyMs} words ${everyMs}ms`);
    await session.shows(new RegExp(`word${word}\\b`), 50_000);
  };
  return [
    {
      name: 'thinking',
      expect: busy,
      frames: 4,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@hang');
        await session.moves();
      },
    },
    {
      name: 'thinking-again',
      expect: busy,
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The first turn is over.');
        await session.ask('@@hang');
        await session.moves();
      },
    },
    { name: 'streaming', expect: busy, frames: 3, drive: (session) => streamTo(session, 20) },
    {
      name: 'streaming-long',
      expect: busy,
      frames: 3,
      drive: (session) => streamTo(session, 900, 5),
    },
    {
      name: 'tool-running',
      expect: busy,
      home: { approvals: 'allow-shell' },
      frames: 3,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@tool touch began; sleep 60; touch ended');
        await session.fileAppears('began');
        await session.moves();
      },
    },
    {
      name: 'busy-draft',
      expect: { status: 'processing', composer: 'draft' },
      frames: 2,
      drive: async (session) => {
        await streamTo(session, 20);
        await session.terminal.type('and one thing more');
        await session.shows(/and one thing more/);
      },
    },
    {
      name: 'queued',
      expect: busy,
      home: { approvals: 'allow-shell' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@tool touch began; sleep 60; touch ended');
        await session.fileAppears('began');
        const { cursor } = await session.terminal.capture();
        await session.submit('another thing for later');
        await session.shows(traits.queued);
        await session.cursorAt(cursor.x);
      },
    },
    {
      name: 'permission-shell',
      expect: { status: 'waiting', detail: 'permission', composer: 'hidden' },
      drive: async (session) => {
        await session.ready();
        await session.ask('@@tool touch began && touch ended');
        await session.shows(traits.permission);
      },
    },
    {
      name: 'permission-long-command',
      expect: { status: 'waiting', detail: 'permission', composer: 'hidden' },
      drive: async (session) => {
        await session.ready();
        const commands = Array.from({ length: 40 }, (_, at) => `echo step ${at + 1} of many`);
        await session.ask(`@@tool touch began; ${commands.join('; ')}`);
        await session.shows(traits.permission);
      },
    },
    {
      name: 'retrying-500',
      expect: busy,
      frames: 3,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@fail 500');
        await session.moves();
      },
      // Between two tries no request is open: that another one comes proves that it had not given up.
      verify: async (session) => {
        const { length } = session.turns;
        await session.mock.waitFor(({ n, isSide }) => !isSide && n > length, 60_000);
      },
    },
  ];
}

function endScenarios(traits: Traits): readonly Scenario[] {
  const done = { status: 'completed', composer: 'empty' } as const;
  const after = (name: string, prompt: string, more: Partial<Scenario> = {}): Scenario => ({
    name,
    expect: done,
    drive: async (session) => {
      await session.ready();
      await session.askToEnd(prompt);
    },
    ...more,
  });
  return [
    after('answered', '@@say The answer is 42.'),
    after('answered-long', '@@stream 1500 words 1ms'),
    after(
      'answered-after-tool',
      '@@say First I look. @@tool touch began && touch ended @@say It is there.',
      {
        home: { approvals: 'allow-shell' },
      },
    ),
    {
      name: 'answered-draft',
      expect: { status: 'completed', composer: 'draft' },
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The answer is 42.');
        await session.terminal.type('thanks, and now');
        await session.shows(/thanks, and now/);
      },
    },
    ...Object.entries(traits.forgeries).map(([name, text]) =>
      after(`forged-${name}`, `@@say ${text}`),
    ),
    {
      name: 'interrupted',
      expect: done,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@stream 3000 words 20ms');
        await session.shows(/word40\b/);
        await session.terminal.keys('Escape');
        await session.terminal.waitFor('the end of the turn', () => session.isAtRest());
      },
    },
    {
      name: 'error-500',
      expect: { status: 'error', composer: 'empty' },
      ...traits.fewRetries,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@fail 500');
        await session.shows(traits.error500, 120_000);
      },
    },
    {
      name: 'error-401',
      expect: { status: 'error', composer: 'empty' },
      ...traits.fewRetries,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@fail 401');
        await session.shows(traits.error401, 90_000);
      },
    },
  ];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
