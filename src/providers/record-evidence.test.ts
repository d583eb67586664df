import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentContext } from './provider.ts';
import { openRecordEvidence } from './record-evidence.ts';
import type { AttemptTrace, Evidence, Finding } from './way-in.ts';

let folder: string;
let conversation: string | undefined;
let evidence: Evidence;
let taken: string[];
let afterLocate: () => void;
let route: AttemptTrace['route'];
let madeIn: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-records-'));
  conversation = 'one';
  taken = [];
  afterLocate = () => undefined;
  route = 'paste';
  madeIn = 'one';
  evidence = open();
});
afterEach(() => {
  evidence.close();
  rmSync(folder, { recursive: true, force: true });
});

test('each line is read once, and a fresh reader knows as much (rule 10)', async () => {
  expect(await ask('a')).toBe('none');
  writeFileSync(path('one'), '{a landed}\n');
  expect(await ask('a')).toBe('landed');
  appendFileSync(path('one'), '{a seen}\n{b la');
  // Half a line: it may be the one, and a process that died as it wrote left just this.
  expect(await ask('a', 'b')).toBe('seen unknown');
  appendFileSync(path('one'), 'nded}\n');
  expect(await ask('a', 'b')).toBe('seen landed');
  expect(taken).toEqual(['{a landed}', '{a seen}', '{b landed}']);
  evidence.close();
  evidence = open();
  expect(await ask('a', 'b')).toBe('seen landed');
});

test('after /clear both conversations are read, and a proof in one of them stands', async () => {
  writeFileSync(path('one'), '{a landed}\n');
  writeFileSync(path('two'), '{a seen}\n');
  conversation = 'two';
  expect(await ask('a')).toBe('seen');
});

test('rules 41, 42: a conversation that was left is still read, though its agent is known by the next one', async () => {
  writeFileSync(path('one'), '{a landed}\n');
  expect(await ask('a')).toBe('landed');
  // The ledger keeps one conversation for each life, the last.
  conversation = 'two';
  madeIn = 'two';
  writeFileSync(path('two'), '{b landed}\n');
  expect(await ask('a', 'b')).toBe('landed(left) landed');
  // With nothing open it is forgotten.
  expect(await ask()).toBe('');
  expect(await ask('a', 'b')).toBe('none landed');
});

test('rule 42: what landed is left with its conversation, unless the one that is shown holds it too', async () => {
  writeFileSync(path('one'), '{a landed}\n{b held}\n{c removed}\n');
  expect(await ask('a', 'b', 'c')).toBe('landed held removed');
  conversation = 'two';
  expect(await ask('a', 'b', 'c')).toBe('landed(left) held(left) removed');
  // A fork holds what stood before it.
  writeFileSync(path('two'), '{a landed}\n');
  expect(await ask('a', 'b')).toBe('landed held(left)');
  conversation = undefined;
  expect(await ask('a', 'b')).toBe('landed held');
});

test('a file that was written anew is judged anew', async () => {
  writeFileSync(path('one'), '{a landed}\n{b seen}\n');
  expect(await ask('a', 'b')).toBe('landed seen');
  writeFileSync(path('one'), '{a seen}\n');
  expect(await ask('a', 'b')).toBe('seen none');
});

test('O5: without a trace nothing is certain when a line was too long to be read', async () => {
  writeFileSync(path('one'), `${'x'.repeat(17 * 1024 * 1024)}\n{a seen}\n`);
  expect(await ask('a', 'b')).toBe('seen unknown');
});

test('calls wait for each other', async () => {
  writeFileSync(path('one'), '{a landed}\n'.repeat(1000));
  expect(await Promise.all([ask('a'), ask('a'), ask('a')])).toEqual(['landed', 'landed', 'landed']);
  expect(taken).toHaveLength(1000);
});

test('rule 41: half a line that a dead process left, and what was appended to it, prove nothing', async () => {
  writeFileSync(path('one'), '{a landed}\n{"b":"la');
  expect(await ask('c')).toBe('unknown');
  appendFileSync(path('one'), '{"d":"landed"}\n');
  expect(await ask('a', 'c', 'd')).toBe('landed unknown unknown');
});

test('rule 41: a file that was found and is gone when it is read proves nothing', async () => {
  writeFileSync(path('one'), '{a landed}\n');
  afterLocate = () => rmSync(path('one'));
  expect(await ask('b')).toBe('unknown');
});

test('rule 41: what cannot be looked for is unknown, and what was read before stays true', async () => {
  writeFileSync(path('one'), '{a landed}\n');
  expect(await ask('a', 'b')).toBe('landed none');
  afterLocate = () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  };
  appendFileSync(path('one'), '{c seen}\n');
  expect(await ask('a', 'b', 'c')).toBe('landed unknown seen');
  // A bug of ours is no answer.
  afterLocate = () => {
    throw new Error('a bug');
  };
  await expect(ask('a')).rejects.toThrow('a bug');
});

test('rule 11: a reply into a conversation of which nothing is on record is not proven absent', async () => {
  expect(await ask('a')).toBe('none');
  route = 'turn-boundary';
  expect(await ask('a')).toBe('unknown');
  writeFileSync(path('one'), '{b landed}\n');
  expect(await ask('a')).toBe('none');
});

function open(): Evidence {
  return openRecordEvidence(
    { current: context, changed: () => undefined },
    {
      locate: async ({ conversations }) => {
        const paths = conversations.map(path).filter((one) => existsSync(one));
        afterLocate();
        return paths;
      },
      createJudge: () => {
        const known = new Map<string, string>();
        return {
          take: (line) => {
            taken.push(line.toString());
            const [mark = '', found = ''] = line.toString().slice(1, -1).split(' ');
            known.set(mark, found);
          },
          find: ({ mark }) => {
            const found = known.get(mark);
            return found === undefined ? undefined : ({ found, evidence: '' } as Finding);
          },
        };
      },
      createShapeReader: () => () => 'familiar',
      isLeft: (file, { conversation: id }) => id !== undefined && file !== path(id),
      findWithout: () => ({ found: 'none', evidence: '' }),
    },
  );
}

async function ask(...marks: readonly string[]): Promise<string> {
  const base = { route, at: 0, isSubmitted: false, isAlive: true } as const;
  const attempts: AttemptTrace[] = marks.map((mark) => ({ ...base, mark, conversation: madeIn }));
  const findings = await evidence.judge(attempts);
  return findings.map(({ found, isLeft }) => (isLeft ? `${found}(left)` : found)).join(' ');
}

function path(name: string): string {
  return join(folder, `${name}.jsonl`);
}

function context(): AgentContext {
  const life = { agent: 'agt_1', pid: 1, cwd: '/srv/app', runFolder: '/run', startedAt: 0 };
  return { ...life, conversation, version: undefined, env: {} };
}
