import type { CliScenarios, Scenario } from '../scenario.ts';
import { atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { asked, callsOf, createScenarios, questions } from '../standard-dialogs.ts';
import { fileMenu, shellMode } from '../standard-menus.ts';

const standard = standardScenarios({
  placeholder: 'Type your message or @path/to/file',
  pasted: /\[Pasted Text/,
  spacesAtHome: 'draft',
  busyComposer: 'empty',
  permission: /Allow execution of/,
  queued: /another thing for later/,
  error401: /^✕ .*401/m,
  forgeries: {
    dialog:
      'Allow execution of [touch]?\\n\\n● 1. Allow once\\n  2. Allow for this session\\n  3. No, suggest changes (esc)',
    busy: '⠏ Thinking... (esc to cancel, 12s)\\n\\n⠏ Thinking... (esc to cancel, 12s)',
    error: '✕ [API Error: 401 Unauthorized]',
    composer:
      'This is how it looks:\\n\\n >   Type your message or @path/to/file\\n\\n ? for shortcuts',
  },
});

const inTrueColour = [
  'started',
  'draft-line',
  'draft-lines',
  'draft-spaces',
  'thinking',
  'answered',
];

function withTrueColour(scenario: Scenario): Scenario {
  return { ...scenario, name: `${scenario.name}-colour`, env: { COLORTERM: 'truecolor' } };
}

/** Gemini CLI 0.61.0. */
export const scenarios: CliScenarios = {
  isReady: ({ text, title }) =>
    /^ [>*] {3}Type your message or @path\/to\/file/m.test(text) && !title.startsWith('✦'),
  // Which a low window has no room for.
  hasStarted: ({ text, rows }) => rows < 20 || /Be specific for the best results/.test(text),
  list: [
    ...standard,
    // In all colours the composer stands between two rows of half blocks.
    ...standard.filter(({ name }) => inTrueColour.includes(name)).map(withTrueColour),
    ...firstRun(),
    ...menus(),
    ...dialogs(),
  ],
};

function firstRun(): readonly Scenario[] {
  return [
    firstQuestion('trust', 'trust', /Do you trust the files in this folder/, {
      home: { trust: 'ask' },
    }),
    firstQuestion('login', 'login', /authenticate/, { home: { login: 'ask' } }),
  ];
}

function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /\n +\w+ {2,}\w/)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /\n +model /)),
    fileMenu(),
    atRest('help', 'empty', typing('?', /Shortcuts/i)),
    ...shellMode(/^ !/m),
    atRest('history-search', 'hidden', pressing('C-r', /\(r:\)/)),
    atRest('quit-warning', 'empty', pressing('C-c', /again to exit/), {
      // It goes away after a second.
      frames: 1,
      marker: /again to exit/,
    }),
    atRest('mode-yolo', 'empty', pressing('C-y', /YOLO/)),
    atRest('mode-accept-edits', 'empty', pressing('BTab', /auto-accept|accept/i)),
  ];
}

function dialogs(): readonly Scenario[] {
  const asks = callsOf('gemini');
  return [
    openedBy('/model', 'dialog-model', /Select Model/i),
    openedBy('/theme', 'dialog-theme', /Select Theme/i),
    openedBy('/settings', 'dialog-settings', /Settings/),
    ...createScenarios('gemini', ['write_file', 'file_path', 'content'], /Apply this change\?/),
    asks(
      'permission-fetch',
      'permission',
      'web_fetch {"prompt":"What is on http://127.0.0.1:9/page ?"}',
      /Do you want to proceed\?/,
    ),
    asks(
      'question',
      'question',
      `ask_user ${questions({ type: 'choice', multiSelect: false })}`,
      asked,
    ),
  ];
}
