import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { asksAbout, atRest, openedBy, pressing, typing, waitingFor } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';

/** OpenCode 1.18.33. It asks nothing at its first start: without an account it offers a model of its own. */
export const scenarios: CliScenarios = {
  isReady: ({ text }) => /^(?!.*esc (?:again to )?interrupt).*ctrl\+p commands/m.test(text),
  list: [
    ...standardScenarios({
      placeholder: 'Ask anything…',
      pasted: /\[Pasted ~60 lines/,
      spacesAtHome: 'draft',
      busyComposer: 'unknown',
      permission: /△ Permission required/,
      queued: /QUEUED/,
      error401: /mock failure 401/,
      error500: /mock failure 500/,
      forgeries: {
        dialog:
          '△ Permission required\\n  # Shell command\\n\\n$ touch began\\n\\n Allow once   Allow always   Reject   ctrl+f fullscreen  ⇆ select  enter confirm',
        busy: '⬝⬝■■■■■■  esc interrupt\\n\\n   ⬝⬝■■■■■■  esc interrupt',
        composer: `This is how it looks:\\n\\n┃\\n┃\\n┃\\n┃  Build · mock-model mock\\n╹${'▀'.repeat(60)}\\n   ctrl+p commands`,
      },
    }).filter(isCommon),
    ...drafts(),
    ...menus(),
    ...dialogs(),
    ...work(),
  ],
};

/**
 * A paste of three lines or 150 letters is shown as a placeholder, it tries a 500 again without end, one Escape only warns,
 * and it draws long answers in leaps.
 */
function isCommon({ name }: Scenario): boolean {
  const ownWay = ['draft-lines', 'draft-blank-lines', 'draft-long', 'error-500', 'interrupted'];
  return !['streaming-long', ...ownWay].includes(name);
}

function drafts(): readonly Scenario[] {
  const lines = (name: string, ...texts: readonly string[]): Scenario =>
    atRest(name, 'draft', async (session) => {
      for (const [at, text] of texts.entries()) {
        if (at > 0) await session.terminal.keys('C-j');
        if (text !== '') await typing(text, new RegExp(text))(session);
      }
    });
  return [
    lines('draft-lines', 'first line', 'second line', 'third line'),
    lines('draft-blank-lines', 'first line', '', 'last line'),
    atRest(
      'draft-long',
      'draft',
      typing(`${'a sentence that goes on and on '.repeat(12)}until here`, /until\s+(?:┃\s+)?here/),
    ),
  ];
}

function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /\/agents /)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /\/models /)),
    // Files are found by a program that it would download.
    atRest('menu-agents', 'draft', typing('@', /@explore/)),
    atRest('shell-mode', 'draft', typing('!', /esc exit shell mode/)),
    atRest('shell-mode-command', 'draft', async (session) => {
      await typing('!', /esc exit shell mode/)(session);
      await typing('ls -la', /ls -la/)(session);
    }),
    atRest('mode-plan', 'empty', pressing('Tab', /Plan · mock-model/)),
    atRest('palette', 'hidden', pressing('C-p', /Switch model/), { expect: waitingFor('dialog') }),
    afterAnswer('answered-spaces', 'draft', async (session) => {
      const { cursor } = await session.terminal.capture();
      await session.terminal.type('   ');
      await session.cursorAt(cursor.x + 3);
    }),
    afterAnswer('answered-blank-lines', 'draft', async (session) => {
      await typing('first line', /first line/)(session);
      const { cursor } = await session.terminal.capture();
      await session.terminal.keys('C-j', 'C-j');
      await session.cursorAt(5);
      if (cursor.x === 5) throw new Error('The draft is not there.');
    }),
    afterAnswer('answered-palette', 'hidden', pressing('C-p', /Switch model/), {
      expect: waitingFor('dialog'),
    }),
    afterAnswer('answered-menu', 'draft', typing('/', /\/agents /)),
    afterAnswer('answered-shell-mode', 'draft', typing('!', /esc exit shell mode/)),
  ];
}

/** The composer of a conversation stands at the screen's foot and has no placeholder; before the first turn it is elsewhere. */
function afterAnswer(
  name: string,
  composer: 'draft' | 'hidden',
  act: (session: LabSession) => Promise<unknown>,
  more: Partial<Scenario> = {},
): Scenario {
  return {
    name,
    expect: { status: 'completed', composer },
    drive: async (session) => {
      await session.ready();
      await session.askToEnd('@@say The answer is 42.');
      await act(session);
    },
    ...more,
    // A dialog of its own after a turn: the turn has ended all the same.
    ...(more.expect ? { verify: () => undefined } : {}),
  };
}

function dialogs(): readonly Scenario[] {
  const calls = (
    name: string,
    detail: string,
    call: (session: LabSession) => string,
    pattern: RegExp,
  ): Scenario => asksAbout(name, detail, (session) => `@@mcp opencode ${call(session)}`, pattern);
  return [
    openedBy('/models', 'dialog-model', /Select model/i),
    openedBy('/sessions', 'dialog-sessions', /Sessions/),
    openedBy('/help', 'dialog-help', /Help/),
    calls(
      'permission-create',
      'permission',
      ({ home }) => `write {"filePath":"${home.cwd}/began","content":"hello\\n"}`,
      /△ Permission required/,
    ),
    calls(
      'permission-create-long',
      'permission',
      ({ home }) =>
        `write {"filePath":"${home.cwd}/notes.md","content":"${'one line more\\n'.repeat(60)}"}`,
      /△ Permission required/,
    ),
    calls('question', 'question', () => `question ${questions(colour)}`, /Which colour\?/),
    calls(
      'question-several',
      'question',
      () => `question ${questions(colour, shape)}`,
      /Which colour\?/,
    ),
    {
      name: 'permission-always',
      expect: waitingFor('permission'),
      drive: async (session) => {
        await session.ready();
        await session.ask('@@tool touch began && touch ended');
        await session.shows(/△ Permission required/);
        await session.terminal.keys('Right');
        await session.terminal.settled(300);
        await session.terminal.keys('Enter');
        await session.shows(/△ Always allow/);
      },
    },
    {
      name: 'permission-refused',
      expect: { status: 'completed', composer: 'empty' },
      drive: async (session) => {
        await session.ready();
        await session.ask('@@tool touch began && touch ended');
        await session.shows(/△ Permission required/);
        await session.terminal.keys('Escape');
        await session.shows(/ctrl\+p commands/);
      },
    },
  ];
}

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
};
const shape = {
  question: 'Which shapes?',
  header: 'Shape',
  multiple: true,
  options: [
    { label: 'Round', description: 'soft' },
    { label: 'Square', description: 'hard' },
  ],
};

function questions(...asked: readonly object[]): string {
  return JSON.stringify({ questions: asked });
}

function work(): readonly Scenario[] {
  return [
    {
      name: 'streaming-long',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 3,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@stream 12000 words 5ms');
        await session.shows(/word(?:[5-9]\d\d|\d{4})\b/, 50_000);
      },
    },
    {
      name: 'subagent',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.terminal.prompt(
          '@@mcp opencode task {"description":"Look around","prompt":"\\u0040@hang","subagent_type":"general"}',
        );
        await session.mock.waitFor(
          ({ lastUserText, outcome }) => lastUserText.trim() === '@@hang' && !outcome,
        );
        await session.moves();
      },
    },
    {
      name: 'interrupt-warning',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@hang');
        await session.terminal.keys('Escape');
        await session.shows(/esc again to interrupt/);
      },
    },
    {
      name: 'interrupted',
      expect: { status: 'completed', composer: 'empty' },
      drive: async (session) => {
        await session.ready();
        await session.ask('@@stream 3000 words 20ms');
        await session.shows(/word40\b/);
        await session.terminal.keys('Escape');
        await session.shows(/esc again to interrupt/);
        await session.terminal.keys('Escape');
        await session.terminal.waitFor('the end of the turn', () => session.isAtRest());
        await session.shows(/· interrupted/);
      },
    },
  ];
}
