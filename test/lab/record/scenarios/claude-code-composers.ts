import type { Composer } from '../../../../src/agents/status.ts';
import type { Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { atRest, openedBy, pressing, typing, waitingFor } from '../shapes.ts';
import {
  type ClaudePlace,
  permissionMode,
  preferences,
  settings,
  statusLine,
} from './claude-code-homes.ts';

/**
 * The composer of Claude Code 2.1.325 in the homes and modes that people have. What can be proven
 * differs: see the rules in `detector.yaml`.
 */
export function composerScenarios(): readonly Scenario[] {
  return [...restingPlaces.flatMap(inPlace), ...vimNormal(), ...suggestions(), ...pickers()];
}

const restingPlaces: readonly ClaudePlace[] = [
  { name: 'auto', start: permissionMode('auto') },
  { name: 'edits', start: permissionMode('acceptEdits') },
  { name: 'plan', start: permissionMode('plan') },
  { name: 'bypass', start: permissionMode('bypassPermissions') },
  { name: 'vim', start: preferences({ editorMode: 'vim' }) },
  { name: 'line', start: statusLine('opus in ~/work') },
  { name: 'lines', start: statusLine('opus in ~/work', 'branch main ✓') },
  // Rows that look like the program's own.
  {
    name: 'false-hint',
    start: statusLine('⏸ manual mode on · ? for shortcuts · ← for agents', '❯ '),
  },
  {
    name: 'false-frame',
    start: statusLine('─'.repeat(40), '❯ ', '─'.repeat(40), '? for shortcuts'),
  },
];

/**
 * The hint `← for agents`, which only an empty composer has, goes 10 s after the start and never
 * comes back; from then on a draft of blanks looks like none.
 */
function inPlace({ name, start }: ClaudePlace): readonly Scenario[] {
  const later = async (session: LabSession): Promise<void> => {
    await session.terminal.waitFor(
      'a footer without the hint for agents',
      ({ text }) => !/ · ← for agents$/m.test(text.split('\n').slice(-1).join('\n')),
      30_000,
    );
  };
  const make = (what: string, composer: Composer, act: (session: LabSession) => Promise<unknown>) =>
    atRest(`${name}${what}`, composer, act, start);
  return [
    { ...make('-fresh', 'empty', async () => undefined), marker: / · ← for agents\s*$/ },
    make('-later', 'blank', later),
    make('-blanks', 'blank', async (session) => {
      await later(session);
      await blanksAtHome(session);
    }),
    make('-letter', 'draft', async (session) => {
      await later(session);
      await session.terminal.type('y');
      await session.cursorAt(3);
    }),
    make('-draft-home', 'draft', async (session) => {
      await later(session);
      await typing('the cursor goes back', /the cursor goes back/)(session);
      await session.terminal.keys('C-a');
      await session.cursorAt(2);
    }),
  ];
}

async function blanksAtHome(session: LabSession): Promise<void> {
  await session.terminal.type('  ');
  await session.cursorAt(4);
  await session.terminal.keys('C-a');
  await session.cursorAt(2);
}

/** Nothing on the screen tells it from a Claude Code without vim's keys. */
function vimNormal(): readonly Scenario[] {
  const vim = settings({ editorMode: 'vim' });
  const normal = pressing('Escape', /^ {2}⏸ manual mode on · \? for shortcuts/m);
  return [
    atRest('vim-normal', 'empty', normal, vim),
    atRest(
      'vim-normal-draft',
      'draft',
      async (session) => {
        await typing('the cursor goes back', /the cursor goes back/)(session);
        await pressing('Escape', /^ {2}⏸ manual mode on$/m)(session);
        await session.terminal.keys('0');
        await session.cursorAt(2);
      },
      vim,
    ),
    atRest(
      'vim-visual',
      'unknown',
      async (session) => {
        await normal(session);
        await pressing('v', /-- VISUAL --/)(session);
      },
      vim,
    ),
  ];
}

/** A dim text in the composer, which is no draft. */
function suggestions(): readonly Scenario[] {
  const start = { env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'true' } };
  const suggest = async (session: LabSession, text: string): Promise<void> => {
    session.mock.suggest(text);
    await session.ready();
    // None is made after the first answer.
    for (const said of ['One', 'Two']) {
      await session.ask(`@@say ${said}.`);
      await session.shows(new RegExp(`^● ${said}\\.`, 'm'));
    }
    await session.shows(new RegExp(`^❯\\u00a0${text}$`, 'm'));
  };
  const make = (
    name: string,
    composer: Composer,
    act: (session: LabSession) => Promise<unknown>,
    suggested = 'run the tests',
  ): Scenario => ({
    name,
    expect: { status: 'completed', composer },
    ...start,
    drive: async (session) => {
      await suggest(session, suggested);
      await act(session);
    },
  });
  return [
    atRest('example', 'empty', async (session) => await session.shows(/^❯\u00a0Try "/m), start),
    make('suggestion', 'empty', async () => undefined),
    make(
      'suggestion-long',
      'empty',
      async () => undefined,
      'now run all the tests again, then commit',
    ),
    make('suggestion-edits', 'empty', pressing('BTab', /accept edits on/)),
    make('suggestion-typed', 'draft', async (session) => {
      await session.terminal.type('run the tests');
      await session.cursorAt(15);
      await session.terminal.keys('C-a');
      await session.cursorAt(2);
    }),
    make('suggestion-letter', 'draft', async (session) => {
      await session.terminal.type('r');
      await session.cursorAt(3);
      await session.terminal.keys('C-a');
      await session.cursorAt(2);
    }),
    make('suggestion-blanks', 'unknown', blanksAtHome),
  ];
}

/** Where Enter chooses something. */
function pickers(): readonly Scenario[] {
  const afterTurn = async (session: LabSession): Promise<void> => {
    await session.ready();
    await session.askToEnd('@@say The answer is 42.');
  };
  return [
    atRest('memory-sign', 'draft', typing('#', /^❯\u00a0#/m)),
    {
      name: 'rewind-picker',
      expect: waitingFor('dialog'),
      drive: async (session) => {
        await afterTurn(session);
        await session.terminal.keys('Escape');
        await session.pause(150);
        await session.terminal.keys('Escape');
        await session.shows(/Restore the code/);
      },
    },
    {
      // One key on an empty composer: what is typed there begins another session.
      name: 'agents-view',
      expect: waitingFor('dialog'),
      drive: async (session) => {
        await afterTurn(session);
        await pressing('Left', /describe a task for a new session/)(session);
      },
    },
    {
      name: 'permission-subagent',
      expect: waitingFor('permission'),
      drive: async (session) => {
        await session.ready();
        await session.submit(
          '@@mcp claude Agent {"description":"Look around","prompt":"\\u0040@sleep 2 \\u0040@tool touch began","subagent_type":"general-purpose"} @@say It works on.',
        );
        await session.shows(/from the general-purpose agent/);
      },
    },
    openedBy('/resume', 'dialog-resume', /Resume session/),
    openedBy('/permissions', 'dialog-permissions', /Add a new rule/),
    openedBy('/theme', 'dialog-theme', /Choose the text style/),
    openedBy('/effort', 'dialog-effort', /Enter to confirm/),
    { ...openedBy('/login', 'dialog-login', /Select login method/), expect: waitingFor('login') },
  ];
}
