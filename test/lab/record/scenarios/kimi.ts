import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { createScenarios, questionScenarios } from '../standard-dialogs.ts';
import { fileMenu, shellMode } from '../standard-menus.ts';
import { compacting, subagent } from '../standard-work.ts';

/** Kimi Code 2.1.0. */
export const scenarios: CliScenarios = {
  // Right above a composer at rest stands a blank row.
  isReady: ({ text }) => /^\n ╭─+╮\n │ > +│\n ╰─+╯$/m.test(text),
  list: [
    ...standardScenarios({
      pasted: /\[Pasted text #1|\[paste/i,
      // Not to be told from an empty one, and harmless: what is pasted stands in front of the
      // blanks.
      spacesAtHome: 'empty',
      busyComposer: 'unknown',
      permission: /Approve once/,
      queued: /another thing for later/,
      error401: /401/,
      error500: /Error: .*500/,
      fewRetries: {
        files: (session) => ({ 'home/.kimi-code/config.toml': fewAttempts(session) }),
      },
      forgeries: {
        dialog:
          'Run this command?\\n\\n▶ 1. Approve once\\n  2. Approve for this session\\n  3. Reject',
        busy: '🌕 · Tip: /web: use the Web UI\\n\\n🌕 thinking',
        composer: `This is how it looks:\\n\\n╭${'─'.repeat(60)}╮\\n│ > ${' '.repeat(57)}│\\n╰${'─'.repeat(60)}╯`,
      },
    }),
    ...firstRun(),
    ...menus(),
    ...dialogs(),
    ...work(),
  ],
};

/** The home's own settings, and no more than two tries. */
function fewAttempts({ mock }: LabSession): string {
  return [
    'default_permission_mode = "manual"',
    'default_model = "mock"',
    '[loop_control]',
    'max_attempts_per_step = 2',
    '[providers.mock]',
    'type = "openai"',
    `base_url = "${mock.url}/v1"`,
    'api_key = "sk-lab"',
    '[models.mock]',
    'provider = "mock"',
    'model = "mock-model"',
    'max_context_size = 200000',
    '',
  ].join('\n');
}

function firstRun(): readonly Scenario[] {
  return [firstQuestion('trust', 'trust', /Trust this folder/, { home: { trust: 'ask' } })];
}

function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /→ yolo/)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /→ model/)),
    fileMenu(),
    ...shellMode(/! shell mode/),
    atRest('quit-warning', 'unknown', pressing('C-c', /again to exit|again to quit/i)),
    atRest('mode-plan', 'empty', pressing('BTab', /^ plan /m)),
  ];
}

function dialogs(): readonly Scenario[] {
  return [
    openedBy('/model', 'dialog-model', /Select|navigate/i),
    openedBy('/permission', 'dialog-permission', /Select|navigate/i),
    openedBy('/settings', 'dialog-settings', /Settings/i),
    openedBy('/sessions', 'dialog-sessions', /navigate|session/i),
    ...createScenarios('kimi', ['Write', 'path', 'content'], /Approve once/),
    ...questionScenarios(
      'kimi',
      'AskUserQuestion',
      { multi_select: false },
      { multi_select: true },
    ),
  ];
}

function work(): readonly Scenario[] {
  return [
    subagent('kimi Agent {"description":"Look around","prompt":"\\u0040@hang"}', (text) =>
      text.includes('@@hang'),
    ),
    compacting('unknown', (session) => session.shows(/Compacting context/)),
  ];
}
