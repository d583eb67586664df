import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { asksAbout, atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';

/** GitHub Copilot CLI 1.0.102. */
export const scenarios: CliScenarios = {
  isReady: ({ text }) => /^─{20,}\n❯\s*\n─{20,}\n.* \/ commands /m.test(text),
  list: [
    ...standardScenarios({
      pasted: /\[Paste #1/,
      spacesAtHome: 'draft',
      busyComposer: 'unknown',
      permission: /Do you want to run this command\?/,
      queued: /another thing for later/,
      // Its last words stand there before the footer is that of an idle agent.
      error401: /✗ Authentication failed[\s\S]* \/ commands /,
      error500: /^ ✗ [\s\S]* \/ commands /m,
      forgeries: {
        dialog: `╭${'─'.repeat(40)}╮\\n│ Do you want to run this command?        │\\n│ ❯ 1. Yes                               │\\n│ ↑/↓ to navigate · enter to select · esc to cancel │\\n╰${'─'.repeat(40)}╯\\nThat was it.`,
        busy: '◎ Working · 125 B esc esc interrupt\\n\\n ◎ Working · 125 B esc esc interrupt',
        error: '✗ Authentication failed with provider (HTTP 401).',
        composer: `This is how it looks:\\n\\n${'─'.repeat(60)}\\n❯\\n${'─'.repeat(60)}\\n / commands · ? help`,
      },
      // One Escape only warns.
    }).filter(({ name }) => name !== 'interrupted'),
    ...firstRun(),
    ...menus(),
    ...dialogs(),
    ...work(),
  ],
};

function firstRun(): readonly Scenario[] {
  return [
    firstQuestion('trust', 'trust', /Do you trust the files in this folder/, {
      home: { trust: 'ask' },
    }),
  ];
}

function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /\/add-dir {3,}/)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /\/model /)),
    atRest('menu-files', 'draft', typing('@', /notes\.md/), {
      files: () => ({ 'work/notes.md': 'Notes.\n', 'work/plan.md': 'Plan.\n' }),
    }),
    atRest('help', 'unknown', typing('?', /any key close help/)),
    atRest('shell-mode', 'draft', typing('!', /esc exit shell mode/)),
    atRest('shell-mode-command', 'draft', async (session) => {
      await typing('!', /esc exit shell mode/)(session);
      await typing('ls -la', /ls -la/)(session);
    }),
    atRest('history-search', 'hidden', pressing('C-r', /reverse-i-search/)),
    atRest('quit-warning', 'unknown', pressing('C-c', /ctrl\+c again|again to exit/)),
    atRest('mode-plan', 'empty', pressing('BTab', /Plan ·/)),
    atRest('stashed', 'unknown', async (session) => {
      await session.terminal.type('put this aside');
      await session.shows(/put this aside/);
      await session.terminal.keys('C-s');
      await session.shows(/stash/i);
    }),
    beside('sidebar', 'Left', /sidebar help/),
    beside('other-tab', 'Tab', /\[Sessions\]/),
  ];
}

/** A view that hides the conversation or moves it aside: whether it goes on cannot be seen there. */
function beside(name: string, key: string, pattern: RegExp): Scenario {
  return {
    name,
    expect: { status: 'unknown', composer: 'unknown' },
    drive: async (session) => {
      await session.ready();
      await pressing(key, pattern)(session);
    },
  };
}

function dialogs(): readonly Scenario[] {
  const calls = (
    name: string,
    detail: string,
    call: (session: LabSession) => string,
    pattern: RegExp,
  ): Scenario => asksAbout(name, detail, (session) => `@@mcp copilot ${call(session)}`, pattern);
  return [
    openedBy('/model', 'dialog-model', /[Ss]elect/),
    openedBy('/theme', 'dialog-theme', /[Tt]heme/),
    openedBy('/settings', 'dialog-settings', /[Ss]ettings/),
    calls(
      'permission-create',
      'permission',
      ({ home }) => `create {"path":"${home.cwd}/began","file_text":"hello\\n"}`,
      /Do you want to /,
    ),
    calls(
      'permission-create-long',
      'permission',
      ({ home }) =>
        `create {"path":"${home.cwd}/notes.md","file_text":"${'one line more\\n'.repeat(60)}"}`,
      /Do you want to /,
    ),
    calls('question', 'question', () => `ask_user ${question}`, /Which colour\?/),
  ];
}

const question = JSON.stringify({
  message: 'Which colour?',
  requestedSchema: {
    properties: { colour: { type: 'string', title: 'Colour', enum: ['Red', 'Blue'] } },
    required: ['colour'],
  },
});

function work(): readonly Scenario[] {
  return [
    {
      name: 'subagent',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.terminal.prompt(
          '@@mcp copilot task {"description":"Look around","prompt":"\\u0040@hang","agent_type":"general-purpose","name":"looker","mode":"sync"}',
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
        await session.moves();
        await session.terminal.keys('Escape');
        await session.shows(/esc again to/);
      },
    },
    {
      name: 'interrupted',
      expect: { status: 'completed', composer: 'empty' },
      drive: async (session) => {
        await session.ready();
        await session.ask('@@stream 3000 words 20ms');
        await session.shows(/word40\b/);
        // Twice within a time that a busy machine may miss.
        for (let tries = 0; tries < 20 && !session.isAtRest(); tries++) {
          await session.terminal.keys('Escape');
          await session.pause(300);
        }
        await session.shows(/cancelled by user/);
      },
    },
    {
      name: 'compacting',
      expect: { status: 'processing', composer: 'empty' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The answer is 42.');
        const { length } = session.mock.requests;
        await session.terminal.prompt('/compact @@hang');
        await session.mock.waitFor(({ n, outcome }) => n > length && !outcome);
        await session.moves();
      },
      verify: () => undefined,
    },
  ];
}
