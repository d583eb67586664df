import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliScenarios, Scenario } from '../scenario.ts';
import type { LabSession } from '../session.ts';
import { atRest, firstQuestion, openedBy, pressing, typing, waitingFor } from '../shapes.ts';
import { standardScenarios } from '../standard.ts';
import { callsOf, createScenarios, permissionQueued, questions } from '../standard-dialogs.ts';
import { fileMenu, shellMode } from '../standard-menus.ts';

/** Qwen Code 0.24.4. */
export const scenarios: CliScenarios = {
  isReady: ({ text, title }) =>
    /^[>*] {3}Type your message or @path\/to\/file$/m.test(text) && title.startsWith('Qwen'),
  list: [
    ...standardScenarios({
      placeholder: 'Type your message or @path/to/file',
      pasted: /\[Pasted Content/,
      spacesAtHome: 'draft',
      busyComposer: 'empty',
      permission: /Allow execution of/,
      queued: /another thing for later/,
      // A quick stream is drawn in steps of hundreds of words.
      streamedFar: /word[1-9]\d{3}\b/,
      error401: /^ {2}✕ .*401/m,
      error500: /^ {2}✕ .*500/m,
      fewRetries: { files: fewRetries },
      forgeries: {
        dialog:
          "Allow execution of: 'touch'?\\n\\n› 1. Yes, allow once\\n  2. No, suggest changes (esc)\\n\\n⠏ Waiting for user confirmation...",
        busy: '⠏ Loading wit.exe... (12s · esc to cancel)\\n\\n.. Loading wit.exe... (12s · esc to cancel)',
        error: '✕ [API Error: 401 Unauthorized] (Press Ctrl+Y to retry)',
        composer: `This is how it looks:\\n\\n${'─'.repeat(60)}\\n>   Type your message or @path/to/file\\n${'─'.repeat(60)}`,
      },
    }).map(adapt),
    ...firstRun(),
    ...menus(),
    ...dialogs(),
    ...work(),
  ],
};

/** What was interrupted comes back as a draft. */
function adapt(scenario: Scenario): Scenario {
  if (scenario.name !== 'interrupted') return scenario;
  return { ...scenario, expect: { status: 'completed', composer: 'draft' } };
}

/** Its settings with fewer tries; there is no option for that. */
function fewRetries({ home }: LabSession): Readonly<Record<string, string>> {
  const path = 'home/.qwen/settings.json';
  const settings = JSON.parse(readFileSync(join(home.folder, path), 'utf8')) as { model: object };
  const model = { ...settings.model, generationConfig: { maxRetries: 1 } };
  return { [path]: JSON.stringify({ ...settings, model }) };
}

function firstRun(): readonly Scenario[] {
  return [
    firstQuestion('trust', 'trust', /Do you trust this folder/, { home: { trust: 'ask' } }),
    firstQuestion('login', 'login', /Connect a Provider/, { home: { login: 'ask' } }),
  ];
}

function menus(): readonly Scenario[] {
  return [
    atRest('menu-commands', 'draft', typing('/', /\n +\/?\w+ {2,}\w/)),
    atRest('menu-commands-narrowed', 'draft', typing('/mod', /\n +> model /)),
    fileMenu(),
    atRest('help', 'empty', typing('?', /shortcuts|for shell mode/i)),
    ...shellMode(/^!/m),
    atRest('history-search', 'hidden', pressing('C-r', /search|\(r:\)/i)),
    atRest('quit-warning', 'empty', pressing('C-c', /again to exit/)),
    atRest(
      'mode-next',
      'empty',
      pressing('BTab', /(?<!Ask permissions) \(shift \+ tab to cycle\)/),
    ),
    atRest('mode-plan', 'empty', async () => undefined, { args: ['--approval-mode', 'plan'] }),
    atRest('mode-yolo', 'empty', async () => undefined, {
      args: ['--approval-mode', 'yolo'],
    }),
  ];
}

function dialogs(): readonly Scenario[] {
  const asks = callsOf('qwen');
  return [
    openedWithHint('/model', 'dialog-model', /Select Model/i),
    openedBy('/theme', 'dialog-theme', /Select Theme|Theme/),
    openedBy('/settings', 'dialog-settings', /Settings/),
    openedWithHint('/approval-mode', 'dialog-approval-mode', /Approval Mode/i),
    ...createScenarios('qwen', ['write_file', 'file_path', 'content'], /Apply this change\?/),
    asks(
      'question',
      'question',
      `ask_user_question ${questions({ multiSelect: false })}`,
      /❯ 1\. Red/,
    ),
    asks(
      'plan-approval',
      'permission',
      'exit_plan_mode {"plan":"1. Look.\\n2. Change.\\n3. Test."}',
      /Would you like to proceed/,
      { args: ['--approval-mode', 'plan'] },
    ),
    permissionQueued(/Allow execution of/),
  ];
}

/**
 * Behind a command that takes arguments their names are shown: the cursor is not at the end of its
 * row.
 */
function openedWithHint(command: string, name: string, pattern: RegExp): Scenario {
  return {
    name,
    expect: waitingFor('dialog'),
    drive: async (session) => {
      await session.ready();
      await typing(command, new RegExp(`^> ${command}`, 'm'))(session);
      await pressing('Enter', pattern)(session);
    },
  };
}

function work(): readonly Scenario[] {
  return [
    {
      name: 'compacting',
      expect: { status: 'processing', composer: 'empty' },
      frames: 2,
      drive: async (session) => {
        await session.ready();
        await session.askToEnd('@@stream 400 words 1ms');
        await session.submit('/compress');
        await session.moves();
      },
      verify: () => undefined,
    },
  ];
}
