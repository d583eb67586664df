import type { CliScenarios, Scenario } from '../scenario.ts';
import { atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { fileMenu } from '../standard-menus.ts';

/** Codex 0.166.0. */
export const scenarios: CliScenarios = {
  // The line with model and folder comes once it has started; until then what is typed may be lost.
  isReady: ({ text, title }) =>
    /^› Ask Codex to do anything\n\n? *\S.* · \//m.test(text) && /^\w/.test(title),
  list: [
    ...standardScenarios({
      placeholder: 'Ask Codex to do anything',
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
  ],
};

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
