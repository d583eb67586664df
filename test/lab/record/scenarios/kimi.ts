import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { asksAbout, atRest, firstQuestion, openedBy, pressing, typing } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';

/** Kimi Code 2.1.0. */
export const scenarios: CliScenarios = {
  // Right above a composer at rest stands a blank row.
  isReady: ({ text }) => /^\n ╭─+╮\n │ > +│\n ╰─+╯$/m.test(text),
  list: [
    ...standardScenarios({
      pasted: /\[Pasted text #1|\[paste/i,
      // Not to be told from an empty one, and harmless: what is pasted stands in front of the blanks.
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
    atRest('menu-files', 'draft', typing('@', /notes\.md/), {
      files: () => ({ 'work/notes.md': 'Notes.\n', 'work/plan.md': 'Plan.\n' }),
    }),
    atRest('shell-mode', 'draft', typing('!', /! shell mode/)),
    atRest('shell-mode-command', 'draft', async (session) => {
      await typing('!', /! shell mode/)(session);
      await typing('ls -la', /ls -la/)(session);
    }),
    atRest('quit-warning', 'unknown', pressing('C-c', /again to exit|again to quit/i)),
    atRest('mode-plan', 'empty', pressing('BTab', /^ plan /m)),
  ];
}

function dialogs(): readonly Scenario[] {
  const calls = (
    name: string,
    detail: string,
    call: (session: LabSession) => string,
    pattern: RegExp,
  ): Scenario => asksAbout(name, detail, (session) => `@@mcp kimi ${call(session)}`, pattern);
  return [
    openedBy('/model', 'dialog-model', /Select|navigate/i),
    openedBy('/permission', 'dialog-permission', /Select|navigate/i),
    openedBy('/settings', 'dialog-settings', /Settings/i),
    openedBy('/sessions', 'dialog-sessions', /navigate|session/i),
    calls(
      'permission-create',
      'permission',
      ({ home }) => `Write {"path":"${home.cwd}/began","content":"hello\\n"}`,
      /Approve once/,
    ),
    calls(
      'permission-create-long',
      'permission',
      ({ home }) =>
        `Write {"path":"${home.cwd}/notes.md","content":"${'one line more\\n'.repeat(60)}"}`,
      /Approve once/,
    ),
    calls('question', 'question', () => `AskUserQuestion ${questions(colour)}`, /Which colour\?/),
    calls(
      'question-several',
      'question',
      () => `AskUserQuestion ${questions(colour, shape)}`,
      /Which colour\?/,
    ),
  ];
}

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  multi_select: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
};
const shape = {
  question: 'Which shapes?',
  header: 'Shape',
  multi_select: true,
  options: [
    { label: 'Round', description: 'soft' },
    { label: 'Square', description: 'hard' },
  ],
};

function questions(...asked: readonly object[]): string {
  return JSON.stringify({ questions: asked });
}

function work(): readonly Scenario[] {
  return [
    {
      name: 'subagent',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.terminal.prompt(
          '@@mcp kimi Agent {"description":"Look around","prompt":"\\u0040@hang"}',
        );
        await session.mock.waitFor(
          ({ lastUserText, outcome }) => lastUserText.includes('@@hang') && !outcome,
        );
        await session.moves();
      },
    },
    {
      name: 'compacting',
      expect: { status: 'processing', composer: 'unknown' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@say The answer is 42.');
        const { length } = session.mock.requests;
        await session.terminal.prompt('/compact @@hang');
        await session.mock.waitFor(({ n, outcome }) => n > length && !outcome);
        await session.shows(/Compacting context/);
      },
      verify: () => undefined,
    },
  ];
}
