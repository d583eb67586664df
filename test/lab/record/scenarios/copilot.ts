import type { CliScenarios, Scenario } from '../scenario.ts';
import { atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { asked, callsOf, createScenarios } from '../standard-dialogs.ts';
import { fileMenu, shellMode, stashed } from '../standard-menus.ts';
import { compacting, subagent } from '../standard-work.ts';

/** GitHub Copilot CLI 1.0.102. */
export const scenarios: CliScenarios = {
  // In 40 columns the footer is cut off.
  isReady: ({ text }) => /^─{20,}\n❯\s*\n─{20,}\n.* · \/ c/m.test(text),
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
    fileMenu(),
    atRest('help', 'unknown', typing('?', /any key close help/)),
    ...shellMode(/esc exit shell mode/),
    atRest('history-search', 'hidden', pressing('C-r', /reverse-i-search/)),
    atRest('quit-warning', 'unknown', pressing('C-c', /ctrl\+c again|again to exit/)),
    atRest('mode-plan', 'empty', pressing('BTab', /Plan ·/)),
    stashed(/stash/i),
    beside('sidebar', 'Left', /sidebar help/),
    beside('other-tab', 'Tab', /\[Sessions\]/),
  ];
}

/**
 * A view that hides the conversation or moves it aside: whether it goes on cannot be seen there.
 */
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
  const asks = callsOf('copilot');
  const question = JSON.stringify({
    message: 'Which colour?',
    requestedSchema: {
      properties: { colour: { type: 'string', title: 'Colour', enum: ['Red', 'Blue'] } },
      required: ['colour'],
    },
  });
  return [
    openedBy('/model', 'dialog-model', /[Ss]elect/),
    openedBy('/theme', 'dialog-theme', /[Tt]heme/),
    openedBy('/settings', 'dialog-settings', /[Ss]ettings/),
    rewind(),
    ...createScenarios('copilot', ['create', 'path', 'file_text'], /Do you want to /),
    asks('question', 'question', `ask_user ${question}`, asked),
  ];
}

/** Two Escapes at rest, once there has been a prompt. */
function rewind(): Scenario {
  return {
    name: 'dialog-rewind',
    expect: { status: 'waiting', detail: 'dialog', composer: 'hidden' },
    marker: /Rewind/,
    drive: async (session) => {
      await session.ready();
      await session.askToEnd('@@say hello');
      await session.terminal.settled(1000, 60_000);
      // Twice within a time that a busy machine may miss.
      for (let tries = 0; tries < 6; tries++) {
        await session.terminal.keys('Escape');
        await session.pause(200);
        await session.terminal.keys('Escape');
        const isOpen = await session.shows(/Rewind/, 3000).then(
          () => true,
          () => false,
        );
        if (isOpen) return;
      }
      throw new Error('Two Escapes opened nothing.');
    },
  };
}

function work(): readonly Scenario[] {
  return [
    subagent(
      'copilot task {"description":"Look around","prompt":"\\u0040@hang","agent_type":"general-purpose","name":"looker","mode":"sync"}',
    ),
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
    compacting('empty', (session) => session.moves()),
  ];
}
