import { describe, expect, test } from 'vitest';
import { Fault } from '../shared/fault.ts';
import { parseProfile } from './parse-profile.ts';
import type { Profile, ProfileOrigin } from './profile.ts';

function parse(text: string, origin: ProfileOrigin = 'user'): Promise<Profile> {
  return parseProfile(text, { path: '/profiles/tester.md', origin });
}

async function troubleOf(text: string): Promise<string> {
  const fault = await parse(text).then(
    () => new Error('it was taken'),
    (error: unknown) => error,
  );
  if (!(fault instanceof Fault)) throw fault;
  expect(fault.code).toBe('config-invalid');
  expect(fault.message).toContain('/profiles/tester.md');
  return fault.message;
}

test('every field is read, and the body is the instructions', async () => {
  const profile = await parse(`---
name: api-tester
description: >
  Tests
  the API.
provider: codex
model: gpt-5
role: developer
allowedTools: [Read, "Bash(npm test:*)"]
mcpServers:
  search: { command: npx, args: [-y, search-server], env: { LIMIT: 5 } }
  docs: { type: http, url: "https://docs.example/mcp", headers: { X-Team: a } }
env: { PORT: 3000, VERBOSE: true, NAME: x }
worktree: true
notify: false
permissionMode: edit
toolsOver: http
approvals: remote
tags: api, tests
---

# Tester

Test it.
`);
  expect(profile).toEqual({
    name: 'api-tester',
    description: 'Tests the API.',
    origin: 'user',
    path: '/profiles/tester.md',
    provider: 'codex',
    model: 'gpt-5',
    role: 'developer',
    instructions: '# Tester\n\nTest it.',
    permission: 'edit',
    allowedTools: ['Read', 'Bash(npm test:*)'],
    mcpServers: {
      search: { command: 'npx', args: ['-y', 'search-server'], env: { LIMIT: '5' } },
      docs: { url: 'https://docs.example/mcp', headers: { 'X-Team': 'a' } },
    },
    env: { PORT: '3000', VERBOSE: 'true', NAME: 'x' },
    worktree: true,
    notify: false,
    isOverHttp: true,
    hasRemoteApprovals: true,
    tags: ['api', 'tests'],
    unknown: {},
    remarks: [],
  });
});

test('the name of the file stands in for a name, and Windows line ends and a byte order mark are no matter', async () => {
  const { name, instructions } = await parse(
    '\ufeff---\r\ndescription: x\r\n---\r\nOne\r\nTwo\r\n',
  );
  expect([name, instructions]).toEqual(['tester', 'One\nTwo']);
  expect((await parse('---\n---\n')).instructions).toBe('');
});

test('unknown fields are kept and reported', async () => {
  const profile = await parse(
    '---\nname: a\nskills: [x]\nprvider: codex\n__proto__: { a: 1 }\n---\n',
  );
  expect(profile.unknown).toMatchObject({ skills: ['x'], prvider: 'codex' });
  expect(profile.remarks).toContain('"prvider" is not known here: kept, and not used');
  expect(profile.provider).toBeUndefined();
  expect({}).not.toHaveProperty('a');
});

test('rule 39: a mode of the CLI’s own is kept by its name, a word of the scale is the same for every CLI', async () => {
  const own = await parse('---\npermissionMode: bypassPermissions\n---\n');
  expect([own.permission, own.permissionMode]).toEqual([undefined, 'bypassPermissions']);
  const ours = await parse('---\npermissionMode: read-only\n---\n');
  expect([ours.permission, ours.permissionMode]).toEqual(['read-only', undefined]);
});

describe('files of other programs load as they are', () => {
  test('a sub-agent of Claude Code: its tools are no permission (rule 39), its model may be inherited', async () => {
    const text = `---
name: code-reviewer
description: Use proactively after changes.
tools: Read, Grep, Bash
model: inherit
color: purple
---
You review.`;
    const profile = await parse(text, 'claude-agents');
    expect(profile).toMatchObject({
      name: 'code-reviewer',
      provider: 'claude-code',
      allowedTools: [],
    });
    expect(profile.model).toBeUndefined();
    expect(profile.unknown).toEqual({ tools: 'Read, Grep, Bash', color: 'purple' });
    expect(profile.remarks.join()).toMatch(/"tools" limits Claude Code’s own sub-agents/);
    expect((await parse('---\nmodel: opus\n---\n', 'claude-agents')).model).toBe('opus');
  });

  test('a profile of cli-agent-orchestrator: provider names, and its own server is replaced by ours', async () => {
    const profile = await parse(`---
name: code_supervisor
description: Coordinates.
provider: claude_code
role: supervisor
allowedTools: ["@cao-mcp-server", fs_read, "fs_*", execute_bash, Read]
mcpServers:
  cao-mcp-server:
    type: stdio
    command: uvx
    args: [cao-mcp-server]
  team:
    command: uvx
    args: ["--from", "somewhere", "cao-mcp-server"]
  other: { command: other, timeout: 5 }
capabilities: [planning]
skills: ["*"]
---
You coordinate.`);
    expect(profile).toMatchObject({
      name: 'code_supervisor',
      provider: 'claude-code',
      role: 'supervisor',
    });
    expect(profile.allowedTools).toEqual(['Read']);
    expect(profile.mcpServers).toEqual({ other: { command: 'other' } });
    const remarks = profile.remarks.join('\n');
    expect(remarks).toContain('the MCP server cao-mcp-server is kept out: signalbox replaces it');
    expect(remarks).toContain('the MCP server team is kept out');
    expect(remarks).toContain('@cao-mcp-server, fs_read, fs_*, execute_bash kept out');
    expect(remarks).toContain('mcpServers.other.timeout is not used');
    for (const [given, ours] of Object.entries({
      gemini_cli: 'gemini-cli',
      codex: 'codex',
      opencode_cli: 'opencode',
      copilot_cli: 'copilot-cli',
      kimi_cli: 'kimi',
      kiro_cli: 'kiro-cli',
      q_cli: 'q-cli',
    })) {
      expect((await parse(`---\nprovider: ${given}\n---\n`)).provider).toBe(ours);
    }
  });
});

describe('front matter can never execute anything', () => {
  test('only plain YAML between two lines `---` is read', async () => {
    expect(await troubleOf('---js\nprocess.exit(9)\n---\n')).toMatch(/begins with "---js"/);
    expect(await troubleOf('---json\n{}\n---\n')).toMatch(/only plain YAML is read/);
    expect(await troubleOf('--- !!js\na: 1\n---\n')).toMatch(/only plain YAML is read/);
    expect(await troubleOf(';;;\n')).toMatch(/no front matter/);
    expect(await troubleOf('')).toMatch(/no front matter/);
    expect(await troubleOf('---\nname: a\n')).toMatch(/has no end/);
  });

  test('tags are refused', async () => {
    for (const tag of ['!!js/function', '!!python/object/apply:os.system', '!own', '!!binary']) {
      expect(await troubleOf(`---\nname: ${tag} "id"\n---\n`)).toMatch(/is no profile/);
    }
  });

  test('aliases, and with them bombs, are refused', async () => {
    const levels = [...'bcdefgh'].map((name, at) => {
      const before = 'abcdefgh'[at];
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
    });
    expect(await troubleOf(`---\na: &a [x]\n${levels.join('\n')}\n---\n`)).toMatch(/alias/i);
    expect(await troubleOf('---\nenv: &e { A: x }\nmodel: *e\n---\n')).toMatch(/alias/i);
    expect(await troubleOf('---\na: &a { b: *a }\n---\n')).toMatch(/alias/i);
  });

  test('so many levels that a parser gives up are a trouble like any other', async () => {
    expect(await troubleOf(`---\na: ${'['.repeat(16_000)}\n---\n`)).toMatch(/is no profile/);
    const closed = `${'['.repeat(8000)}${']'.repeat(8000)}`;
    expect(await troubleOf(`---\na: ${closed}\n---\n`)).toMatch(/is no profile/);
    expect(await troubleOf(`---\na: ${'['.repeat(60_000)}\n---\n`)).toMatch(/more than 16 KiB/);
  });
});

test.each([
  ['name: a b', /name: "a b" cannot stand here/],
  ['name: ../../etc', /name/],
  ['name: 5', /name: a text is needed/],
  ['description: [a]', /description/],
  ['provider: a b', /provider/],
  ['worktree: yes please', /worktree: it is true or false/],
  ['notify: 1', /notify/],
  ['allowedTools: { a: 1 }', /allowedTools: a list is needed/],
  ['allowedTools: [[a]]', /allowedTools\[0\]/],
  ['env: [A=1]', /env/],
  ['env: { A: [1] }', /env\.A/],
  ['mcpServers: { "a.b": { command: x } }', /mcpServers/],
  ['mcpServers: { a: { args: [x] } }', /mcpServers\.a\.command/],
  ['mcpServers: { a: { url: "file:///etc/passwd" } }', /mcpServers\.a\.url/],
  ['mcpServers: { a: { command: x, args: x } }', /mcpServers\.a\.args/],
  ['mcpServers: text', /mcpServers/],
  ['tasks: orders', /tasks: "orders" is none of notice, prompt/],
  ['approvals: always', /approvals: "always" is none of terminal, remote/],
  ['toolsOver: pigeon', /toolsOver: "pigeon" is none of stdio, http/],
  ['name: a\nname: b', /unique/],
  ['- a', /must be a list of `name: value` lines/],
  ['name: "unfinished', /is no profile/],
])('%j is refused with its place', async (fields, said) => {
  expect(await troubleOf(`---\n${fields}\n---\nBody\n`)).toMatch(said);
});

test('rules 46, 51: as what tasks arrive a profile of one’s own says, and no working folder', async () => {
  const text = '---\nname: w\ntasks: prompt\n---\nBody\n';
  expect(await parse(text, 'user')).toMatchObject({ takesTasksAsPrompts: true, remarks: [] });
  expect(await parse(text.replace('prompt', 'notice'), 'user')).toMatchObject({
    takesTasksAsPrompts: false,
  });
  for (const origin of ['project', 'claude-agents'] as const) {
    // Whatever it holds, such a file loads.
    for (const value of ['prompt', '[a, b]']) {
      const profile = await parse(text.replace('prompt', value), origin);
      expect(profile.takesTasksAsPrompts).toBeUndefined();
      expect(profile.remarks).toEqual(['"tasks" counts in a profile of your own alone: not used']);
    }
  }
});

test('rule 55: a profile says how long its workers rest before they are stopped', async () => {
  const idle = async (value: string) => (await parse(`---\nidleStop: ${value}\n---\n`)).idleStopMs;
  expect(await idle('10m')).toBe(600_000);
  for (const value of ['off', 'false', '0']) expect(await idle(value)).toBe(0);
  expect(await troubleOf('---\nidleStop: often\n---\n')).toContain('idleStop');
});
