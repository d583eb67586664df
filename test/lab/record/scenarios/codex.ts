import { isInRange, parseVersionRange } from '../../../../src/providers/detector/version-range.ts';
import { pins } from '../../versions.ts';
import type { CliScenarios, Scenario } from '../scenario.ts';
import { atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { fileMenu } from '../standard-menus.ts';

const isBefore = (version: string): boolean => {
  const range = parseVersionRange(`<${version}`);
  return range !== undefined && isInRange(range, pins.codex.version);
};
/** Before that, one of several suggestions. */
const placeholder = isBefore('0.148.0') ? '\\S.*' : 'Ask Codex to do anything';
const composer = new RegExp(`^› ${placeholder}\\n\\n? *\\S.* · /`, 'm');

/** Versions before 0.160.0 draw no line of an answer before it is whole. */
const interruptedSilent: Scenario = {
  name: 'interrupted-silent',
  // 0.140.0 puts the prompt back.
  expect: { status: 'completed', composer: isBefore('0.148.0') ? 'draft' : 'empty' },
  drive: async (session) => {
    await session.ready();
    await session.ask('Wait. @@hang for me');
    await session.moves();
    await session.terminal.keys('Escape');
    await session.terminal.waitFor('the end of the turn', () => session.isAtRest());
  },
};

/** Codex 0.166.0; older ones have the same states, and draw some of them in other words. */
export const scenarios: CliScenarios = {
  // The line with model and folder comes once it has started; until then what is typed may be lost.
  isReady: ({ text, title }) => composer.test(text) && /^\w/.test(title),
  list: [
    ...standardScenarios({
      placeholder: isBefore('0.148.0') ? 'Summarize recent commits' : placeholder,
      pasted: /\[Pasted Content/,
      spacesAtHome: 'draft',
      busyComposer: 'empty',
      permission: /Would you like to run/,
      queued: /another thing for later/,
      error401: /^■ .*401/m,
      error500: /^■ /m,
      fewRetries: {
        args: [
          ...['-c', 'model_providers.mock.request_max_retries=1'],
          ...['-c', 'model_providers.mock.stream_max_retries=1'],
        ],
      },
      forgeries: {
        dialog:
          'Would you like to run the following command?\\n\\n› 1. Yes, proceed (y)\\n  2. No (esc)\\n\\nPress enter to confirm or esc to cancel',
        busy: '• Working (12s • esc to interrupt)\\n\\n• Working (12s • esc to interrupt)',
        error: '■ unexpected status 401 Unauthorized',
        composer: 'This is how it looks:\\n\\n› Ask Codex to do anything\\n\\n  ? for shortcuts',
      },
    }),
    ...firstRun(),
    ...menus(),
    ...dialogs(),
    interruptedSilent,
  ].map((scenario) => (isBefore('0.160.0') ? withoutEnd(scenario) : scenario)),
};

/** They draw no row that ends a turn: after an answer the screen says that it rests. */
function withoutEnd(scenario: Scenario): Scenario {
  const { name, expect } = scenario;
  const isTold = name.startsWith('interrupted') && !isBefore('0.148.0');
  if (expect.status !== 'completed' || isTold) return scenario;
  return {
    ...scenario,
    expect: { ...expect, status: 'idle' },
    verify: (session) => {
      if (!session.isAtRest()) throw new Error('No turn has ended.');
    },
  };
}

function firstRun(): readonly Scenario[] {
  return [
    firstQuestion('trust', 'trust', /trust/i, { home: { trust: 'ask' } }),
    firstQuestion('login', 'login', /Sign in with ChatGPT/, { home: { login: 'ask' } }),
    firstQuestion('hook-review', 'hook-review', /Hooks need review/, {
      files: () => ({ 'home/.codex/hooks.json': JSON.stringify(hooks) }),
    }),
    firstQuestion('update', 'update', /Update available/, {
      args: ['-c', 'check_for_update_on_startup=true'],
      files: () => ({ 'home/.codex/version.json': JSON.stringify(newer()) }),
    }),
  ];
}

const hooks = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };

/** What it remembers of its last look for a new version: a recent one spares it another. */
function newer(): object {
  return { latest_version: '99.0.0', last_checked_at: new Date().toISOString() };
}

function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /\/\w+ {2,}\w/)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /\/model /)),
    fileMenu('@no'),
    atRest('help', 'unknown', pressing('?', /Keyboard shortcuts/)),
    atRest('shell-mode', 'draft', typing('!', /^!|› !/m)),
    atRest('shell-mode-command', 'draft', typing('!ls -la', /ls -la/)),
    atRest('history-search', 'hidden', pressing('C-r', /search/i)),
  ];
}

function dialogs(): readonly Scenario[] {
  return [
    openedBy('/model', 'dialog-model', /[Ss]elect .*[Mm]odel/),
    openedBy(
      '/permissions',
      'dialog-permissions',
      /[Uu]pdate .*[Pp]ermissions|Ask for approval|Read Only/,
    ),
  ];
}
