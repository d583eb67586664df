import type { Scenario } from './scenario.ts';
import type { LabSession } from './session.ts';
import type { Traits } from './traits.ts';

/** A turn runs, or waits for a person. */
export function turnScenarios(traits: Traits): readonly Scenario[] {
  const busy = { status: 'processing', composer: traits.busyComposer } as const;
  const streamTo = async (session: LabSession, pattern: RegExp, everyMs = 20): Promise<void> => {
    await session.ready();
    await session.ask(`@@stream ${60_000 / everyMs} words ${everyMs}ms`);
    await session.shows(pattern, 50_000);
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
    {
      name: 'streaming',
      expect: busy,
      frames: 3,
      drive: (session) => streamTo(session, /word20\b/),
    },
    {
      name: 'streaming-long',
      expect: busy,
      frames: 3,
      drive: (session) => streamTo(session, traits.streamedFar ?? /word900\b/, 5),
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
        await streamTo(session, /word20\b/);
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
      // Between two tries no request is open: that another one comes proves that it had not given
      // up.
      verify: async (session) => {
        const { length } = session.turns;
        await session.mock.waitFor(({ n, isSide }) => !isSide && n > length, 60_000);
      },
    },
  ];
}
