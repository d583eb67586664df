import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { atRest, firstQuestion, openedBy, pressing, typing, waitingFor } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import {
  callsOf,
  createScenarios,
  permissionQueued,
  questionScenarios,
} from '../standard-dialogs.ts';
import { fileMenu, stashed } from '../standard-menus.ts';
import { composerScenarios } from './claude-code-composers.ts';

/** Claude Code 2.1.325. */
export const scenarios: CliScenarios = {
  // A footer without the key that interrupts, below an empty composer: it differs by mode and by
  // what runs beside.
  isReady: ({ text }) =>
    /^─{20,}\n❯\s*(?:Try ".*)?\n─{20,}\n(?!.*esc to interrupt) +\S/m.test(text),
  list: [
    ...standardScenarios({
      pasted: /\[Pasted text #1/,
      busyComposer: 'unknown',
      permission: /Do you want to proceed\?/,
      queued: /another thing for later/,
      error401: /API Error: 401/,
      error500: /API Error: 500/,
      fewRetries: { env: { CLAUDE_CODE_MAX_RETRIES: '1' } },
      forgeries: {
        dialog: 'Do you want to proceed?\\n❯ 1. Yes\\n  2. No\\n\\nEsc to cancel · Tab to amend',
        busy: '✻ Cogitating… (12s · esc to interrupt)\\n\\nesc to interrupt',
        composer: 'This is how it looks:\\n\\n────────\\n❯ \\n────────\\n  ? for shortcuts',
      },
    }),
    ...firstRun(),
    ...menus(),
    ...dialogs(),
    ...work(),
    ...composerScenarios(),
  ],
};

/** Questions before it can work. Nothing of the conversation is on the screen yet. */
function firstRun(): readonly Scenario[] {
  return [
    firstQuestion('trust', 'trust', /Yes, I trust this folder/, { home: { trust: 'ask' } }),
    firstQuestion('custom-key', 'login', /Detected a custom API key/, {
      env: { ANTHROPIC_API_KEY: 'sk-ant-lab-another-key-that-nobody-approved' },
    }),
  ];
}

/** What a person opens in or around the composer: no turn, and nothing that may be pasted into. */
function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /\/\w+ {3,}\w/)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /\/model /)),
    fileMenu(),
    atRest('help', 'unknown', typing('?', /double tap esc|for commands/)),
    atRest('shell-mode', 'draft', typing('!', /^!/m)),
    atRest('shell-mode-command', 'draft', typing('!ls -la', /ls -la/)),
    atRest('history-search', 'hidden', pressing('C-r', /search|⌕/i), {
      expect: waitingFor('dialog'),
    }),
    atRest('quit-warning', 'unknown', pressing('C-c', /again to exit/), {
      // It goes away after a second.
      frames: 1,
      marker: /again to exit/,
    }),
    atRest('mode-accept-edits', 'empty', pressing('BTab', /accept edits on/)),
    atRest('mode-accept-edits-spaces', 'blank', async (session) => {
      await pressing('BTab', /accept edits on/)(session);
      await session.terminal.type('   ');
      await session.cursorAt(5);
      await session.terminal.keys('C-a');
      await session.cursorAt(2);
    }),
    atRest('mode-auto', 'empty', async () => undefined, { args: ['--permission-mode', 'auto'] }),
    stashed(/stashed/i),
    {
      name: 'transcript-view',
      expect: { status: 'unknown', composer: 'hidden' },
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The answer is 42.');
        await session.terminal.keys('C-o');
        await session.shows(/transcript/i);
      },
    },
    {
      name: 'transcript-view-busy',
      expect: { status: 'unknown', composer: 'hidden' },
      frames: 1,
      drive: async (session) => {
        await session.ready();
        await session.ask('@@hang');
        await session.moves();
        await session.terminal.keys('C-o');
        await session.shows(/transcript/i);
      },
    },
  ];
}

function dialogs(): readonly Scenario[] {
  const asks = callsOf('claude');
  return [
    openedBy('/model', 'dialog-model', /Enter to (?:confirm|set|select)|Esc to (?:cancel|exit)/i),
    openedBy('/config', 'dialog-config', /Auto-compact|Theme/),
    ...createScenarios(
      'claude',
      ['Write', 'file_path', 'content'],
      /Do you want to create/,
      /Do you want to (?:create|make this edit|overwrite)/,
    ),
    asks(
      'permission-fetch',
      'permission',
      'WebFetch {"url":"http://127.0.0.1:9/page","prompt":"What is it about?"}',
      /Do you want to allow/,
    ),
    ...questionScenarios(
      'claude',
      'AskUserQuestion',
      { multiSelect: false },
      { multiSelect: true },
    ),
    asks(
      'plan-approval',
      'permission',
      'ExitPlanMode {"plan":"1. Look.\\n2. Change.\\n3. Test."}',
      /Would you like to proceed|Exit plan mode\?/,
      { args: ['--permission-mode', 'plan'] },
    ),
    permissionQueued(/Do you want to proceed\?/),
  ];
}

/**
 * It runs beside the turn; the mock plays its prompt, whose first character must not be a
 * directive's in ours.
 */
async function startSubagent(session: LabSession, then: string): Promise<void> {
  await session.submit(
    `@@mcp claude Agent {"description":"Look around","prompt":"\\u0040@hang","subagent_type":"general-purpose"} ${then}`,
  );
  await session.mock.waitFor(({ lastUserText }) => lastUserText.trim() === '@@hang');
  await session.mock.waitFor(
    ({ lastUserText, callsSince }) => lastUserText.startsWith('@@mcp') && callsSince === 1,
  );
}

/** Work that goes on beside or beneath the turn. */
function work(): readonly Scenario[] {
  return [
    {
      name: 'subagent',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await startSubagent(session, '@@hang');
        await session.moves();
      },
      verify: ({ turns }) => {
        if (turns.at(-1)?.outcome) throw new Error('The turn has ended.');
      },
    },
    {
      // The turn is over and another agent works on: a prompt would begin the next turn at once.
      name: 'subagent-behind',
      expect: { status: 'completed', composer: 'empty' },
      drive: async (session) => {
        await session.ready();
        await startSubagent(session, '@@say It works on.');
        await session.shows(/Waiting for 1 background agent/);
      },
      verify: ({ turns }) => {
        const own = turns.filter(({ lastUserText }) => lastUserText.startsWith('@@mcp'));
        if (own.some(({ outcome }) => outcome !== 'finished')) throw new Error('The turn goes on.');
      },
    },
    {
      name: 'background-shell',
      expect: { status: 'completed', composer: 'blank' },
      home: { approvals: 'allow-shell' },
      drive: async (session) => {
        await session.ready();
        await session.askToEnd(
          '@@mcp claude Bash {"command":"sleep 300","description":"Wait","run_in_background":true} @@say It runs.',
        );
      },
    },
    {
      name: 'compacting',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The answer is 42.');
        await session.submit('/compact @@hang');
        await session.mock.waitFor(
          ({ lastUserText, outcome }) => lastUserText.includes('@@hang') && !outcome,
        );
        await session.moves();
      },
    },
  ];
}
