import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { asksAbout, atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';

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
  hasStarted: ({ text }) => /Be specific for the best results/.test(text),
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
    atRest('menu-files', 'draft', typing('@', /notes\.md/), {
      files: () => ({ 'work/notes.md': 'Notes.\n', 'work/plan.md': 'Plan.\n' }),
    }),
    atRest('help', 'empty', typing('?', /Shortcuts/i)),
    atRest('shell-mode', 'draft', typing('!', /^ !/m)),
    atRest('shell-mode-command', 'draft', async (session) => {
      await typing('!', /^ !/m)(session);
      await typing('ls -la', /ls -la/)(session);
    }),
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
  const calls = (
    name: string,
    detail: string,
    call: (session: LabSession) => string,
    pattern: RegExp,
  ): Scenario => asksAbout(name, detail, (session) => `@@mcp gemini ${call(session)}`, pattern);
  return [
    openedBy('/model', 'dialog-model', /Select Model/i),
    openedBy('/theme', 'dialog-theme', /Select Theme/i),
    openedBy('/settings', 'dialog-settings', /Settings/),
    calls(
      'permission-create',
      'permission',
      ({ home }) => `write_file {"file_path":"${home.cwd}/began","content":"hello\\n"}`,
      /Apply this change\?/,
    ),
    calls(
      'permission-create-long',
      'permission',
      ({ home }) =>
        `write_file {"file_path":"${home.cwd}/notes.md","content":"${'one line more\\n'.repeat(60)}"}`,
      /Apply this change\?/,
    ),
    calls(
      'permission-fetch',
      'permission',
      () => 'web_fetch {"prompt":"What is on http://127.0.0.1:9/page ?"}',
      /Do you want to proceed\?/,
    ),
    calls('question', 'question', () => `ask_user ${question}`, /Which colour\?/),
  ];
}

const question = JSON.stringify({
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      type: 'choice',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    },
  ],
});
