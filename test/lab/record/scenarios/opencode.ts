import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { atRest, openedBy, pressing, typing, waitingFor } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { createScenarios, questionScenarios } from '../standard-dialogs.ts';
import { shellMode } from '../standard-menus.ts';
import { subagent } from '../standard-work.ts';

/**
 * OpenCode 1.18.33. It asks nothing at its first start: without an account it offers a model of its
 * own.
 */
export const scenarios: CliScenarios = {
  isReady: ({ text }) => /^(?!.*esc (?:again to )?inter).*ctrl\+p/m.test(text),
  list: [
    ...standardScenarios({
      placeholder: 'Ask anything…',
      pasted: /\[Pasted ~60 lines/,
      spacesAtHome: 'draft',
      busyComposer: 'unknown',
      permission: /△ Permission required/,
      queued: /QUEUED/,
      streamedFar: /word(?:[5-9]\d\d|\d{4})\b/,
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
 * A paste of three lines or 150 letters is shown as a placeholder, it tries a 500 without end, and
 * one Escape only warns.
 */
function isCommon({ name }: Scenario): boolean {
  const ownWay = ['draft-lines', 'draft-blank-lines', 'draft-long', 'error-500', 'interrupted'];
  return !ownWay.includes(name);
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
    ...shellMode(/esc exit shell mode/),
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

/**
 * The composer of a conversation stands at the screen's foot and has no placeholder; before the
 * first turn it is elsewhere.
 */
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
  return [
    openedBy('/models', 'dialog-model', /Select model/i),
    openedBy('/sessions', 'dialog-sessions', /Sessions/),
    openedBy('/help', 'dialog-help', /Help/),
    ...createScenarios('opencode', ['write', 'filePath', 'content'], /△ Permission required/),
    ...questionScenarios('opencode', 'question', {}, { multiple: true }),
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
        await session.shows(/ctrl\+p/);
      },
    },
  ];
}

function work(): readonly Scenario[] {
  return [
    subagent(
      'opencode task {"description":"Look around","prompt":"\\u0040@hang","subagent_type":"general"}',
    ),
    {
      name: 'interrupt-warning',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@hang');
        await session.terminal.keys('Escape');
        await session.shows(/esc again/);
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
        await session.shows(/esc again/);
        await session.terminal.keys('Escape');
        await session.terminal.waitFor('the end of the turn', () => session.isAtRest());
        await session.shows(/· interrupted/);
      },
    },
  ];
}
