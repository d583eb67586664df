import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeMessage, FakeOpenCode } from '../../test/fakes/opencode-server.ts';
import { openEvidence as openClaudeCode } from './claude-code/evidence.ts';
import { openEvidence as openCodex } from './codex/evidence.ts';
import { openEvidence as openCopilot } from './copilot/evidence.ts';
import { openEvidence as openGemini } from './gemini/evidence.ts';
import { openEvidence as openKimi } from './kimi/evidence.ts';
import { openEvidence as openOpenCode } from './opencode/evidence.ts';
import { deriveMessageId } from './opencode/message-id.ts';
import { openEvidence as openQwen } from './qwen/evidence.ts';
import type { AttemptTrace, Evidence, Finding, LiveContext } from './way-in.ts';

/**
 * Rule 50, by versions to come: real recordings in which the names that a rule of evidence goes by
 * are other ones. A message is then neither read nor absent for certain, dead process or not.
 */
interface Cli {
  readonly open: (life: LiveContext) => Evidence;
  readonly recording: string;
  readonly conversation: string;
  /** Below the home. */
  readonly path: string;
  readonly route: AttemptTrace['route'];
  /** What a later version calls something else, as it stands in a line. */
  readonly renamed: readonly (readonly [string, string])[];
}

const id = 'a1b2c3d4-1111-4222-8333-444455556666';
const clis: Readonly<Record<string, Cli>> = {
  'claude-code 2.1.325': {
    open: openClaudeCode,
    recording: 'claude-code/recordings/2.1.325/idle.jsonl',
    conversation: id,
    path: `.claude/projects/-srv-app/${id}.jsonl`,
    route: 'native',
    renamed: [
      ['"requestRef":', '"requestId":'],
      ['"type":"assistant"', '"type":"reply"'],
      ['"type":"user"', '"type":"input"'],
      ['"origin":', '"source":'],
      ['"uuid":', '"id":'],
      ['"type":', '"kind":'],
    ],
  },
  'claude-code 2.1.240': {
    open: openClaudeCode,
    recording: 'claude-code/recordings/2.1.240/idle.jsonl',
    conversation: id,
    path: `.claude/projects/-srv-app/${id}.jsonl`,
    route: 'native',
    renamed: [
      ['"parentUuid":', '"after":'],
      ['"id":"msg_', '"name":"msg_'],
      ['"type":"assistant"', '"type":"reply"'],
      ['"origin":', '"source":'],
      ['"message":', '"body":'],
    ],
  },
  'claude-code 2.1.240, at a boundary': {
    open: openClaudeCode,
    recording: 'claude-code/recordings/2.1.240/boundary.jsonl',
    conversation: id,
    path: `.claude/projects/-srv-app/${id}.jsonl`,
    route: 'turn-boundary',
    renamed: [
      ['"type":"hook_additional_context"', '"type":"hook_context"'],
      ['"attachment":', '"attached":'],
    ],
  },
  codex: {
    open: openCodex,
    recording: 'codex/recordings/idle.jsonl',
    conversation: id,
    path: `.codex/sessions/2026/11/15/rollout-2026-11-15T16-10-58-${id}.jsonl`,
    route: 'native',
    renamed: [
      ['"type":"UserMessage"', '"type":"Input"'],
      ['"role":"assistant"', '"role":"model"'],
      ['"type":"event_msg"', '"type":"event"'],
      ['"payload":', '"data":'],
    ],
  },
  gemini: {
    open: openGemini,
    recording: 'gemini/recordings/idle.jsonl',
    conversation: '321a546a-1df2-4e41-a4d7-ad49bb1111fa',
    path: '.gemini/tmp/app/chats/session-2026-11-15T16-18-321a546a.jsonl',
    route: 'paste',
    renamed: [
      ['"type":"gemini"', '"type":"model"'],
      ['"type":"user"', '"type":"prompt"'],
      ['"content":', '"parts":'],
      ['"id":', '"uuid":'],
    ],
  },
  qwen: {
    open: openQwen,
    recording: 'qwen/recordings/idle.jsonl',
    conversation: id,
    path: `.qwen/projects/-srv-app/chats/${id}.jsonl`,
    route: 'native',
    renamed: [
      ['"type":"assistant"', '"type":"reply"'],
      ['"type":"user"', '"type":"input"'],
      ['"parts":', '"content":'],
      ['"type":', '"kind":'],
    ],
  },
  copilot: {
    open: openCopilot,
    recording: 'copilot/recordings/idle.jsonl',
    conversation: id,
    path: `.copilot/session-state/${id}/events.jsonl`,
    route: 'paste',
    renamed: [
      ['"interactionId":', '"interaction":'],
      ['"type":"assistant.message"', '"type":"model.message"'],
      ['"type":"user.message"', '"type":"prompt"'],
      ['"data":', '"body":'],
    ],
  },
  kimi: {
    open: openKimi,
    recording: 'kimi/recordings/idle.jsonl',
    conversation: id,
    path: `.kimi-code/sessions/app/${id}/agents/main/wire.jsonl`,
    route: 'paste',
    renamed: [
      ['"type":"content.part"', '"type":"text"'],
      ['"stepUuid":', '"stepId":'],
      ['"origin":', '"source":'],
      ['"type":"context.append_message"', '"type":"message.appended"'],
    ],
  },
};

let home: string;
let evidence: Evidence | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-form-'));
});
afterEach(() => {
  evidence?.close();
  evidence = undefined;
  rmSync(home, { recursive: true, force: true });
});

describe.each(Object.entries(clis))('%s', (_, cli) => {
  test('as it was recorded, it is read', async () => {
    const findings = await judge(cli, (line) => line);
    expect(new Set(findings.map(({ found }) => found))).toEqual(new Set(['seen']));
  });

  test.each(cli.renamed)(
    'rule 50: with %s as %s it is neither read nor absent',
    async (from, to) => {
      for (const finding of await judge(cli, (line) => line.replaceAll(from, to))) {
        expect(finding.found).not.toMatch(/^(?:seen|absent)$/);
        expect(finding).toMatchObject({
          isUnrecognised: true,
          evidence: 'records of 9.9.9 not recognised',
        });
      }
    },
  );
});

describe('opencode', () => {
  const renamed = [
    ['"type":"text"', '"type":"words"'],
    ['"parentID":', '"parent":'],
    ['"role":"assistant"', '"role":"model"'],
  ] as const;
  test.each(renamed)('rule 50: with %s as %s it is neither read nor absent', async (from, to) => {
    const text = readFileSync(new URL('opencode/recordings/idle.jsonl', import.meta.url), 'utf8');
    const [head = '', ...lines] = text.trimEnd().split('\n');
    const { case: cases, session } = JSON.parse(head) as {
      case: { mark: string }[];
      session: string;
    };
    const mark = cases[0]?.mark ?? '';
    const server = await FakeOpenCode.open('oc_secret');
    try {
      const address = { hostname: '127.0.0.1', port: server.port, password: 'oc_secret' };
      writeFileSync(join(home, 'server.json'), JSON.stringify(address));
      server.sessions.set(session, { id: session, time: { updated: Date.now() } });
      const say = (line: string): FakeMessage => JSON.parse(speak(line).replaceAll(from, to));
      server.messages.set(session, lines.map(say));
      evidence = openOpenCode(life('unused'));
      const receipt = `${session}/${deriveMessageId({ mark, at: 0 })}`;
      for (const isAlive of [true, false]) {
        const [finding] = await evidence.judge([{ ...attempt(mark, isAlive), receipt }]);
        expect(finding).toMatchObject({ found: 'landed', isUnrecognised: true });
      }
    } finally {
      evidence?.close();
      await server.close();
    }
  });
});

async function judge(cli: Cli, change: (line: string) => string): Promise<readonly Finding[]> {
  const text = readFileSync(new URL(cli.recording, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const path = join(home, cli.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${change(speak(line))}\n`).join(''));
  const read = [...head.matchAll(/"(mark_\w+)"[^}]*?"found":"seen"/g)].map(([, mark = '']) => mark);
  expect(read).not.toEqual([]);
  evidence = cli.open(life(cli.conversation));
  const traces = read.flatMap((mark) => [true, false].map((isAlive) => attempt(mark, isAlive)));
  return await evidence.judge(
    traces.map((trace) => ({ ...trace, route: cli.route, conversation: cli.conversation })),
  );
}

/** The mock says one word; a model says more. */
function speak(line: string): string {
  return line.replaceAll(/"(text|content)":"(hello|one|two|next)"/g, '"$1":"$2, and more"');
}

function attempt(mark: string, isAlive: boolean): AttemptTrace {
  return { mark, isAlive, route: 'native', at: 0, isSubmitted: false, conversation: undefined };
}

function life(conversation: string): LiveContext {
  const context = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    runFolder: home,
    conversation,
    startedAt: 0,
    version: '9.9.9',
    env: { HOME: home },
  };
  return { current: () => context, changed: () => undefined };
}
