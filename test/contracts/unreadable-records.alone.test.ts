import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { judgeAttempt } from '../../src/delivery/judge-attempt.ts';
import type { AgentContext } from '../../src/providers/provider.ts';
import type { AttemptTrace, Evidence, Finding } from '../../src/providers/way-in.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { codes, failingFiles } from '../support/failing-files.ts';
import { sweepList } from '../support/sweep.ts';
import { waitFor } from '../support/wait-for.ts';
import { openFinder } from './open-finder.ts';
import { conversation, type Finder, finders, mark } from './record-finders.ts';

vi.mock('node:fs', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapSync(await original<typeof import('node:fs')>());
});
vi.mock('node:fs/promises', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapPromises(await original<typeof import('node:fs/promises')>());
});

/** Codex must have rested between two looks. */
const betweenMs = 3000;
let passedMs = 0;
const monotonicMs = systemClock.monotonicMs;
vi.spyOn(systemClock, 'monotonicMs').mockImplementation(() => monotonicMs() + passedMs);

afterEach(() => {
  failingFiles.end();
  failingFiles.before = () => undefined;
});

const cases = finders.map((finder) => [finder.provider.name, finder.name, finder] as const);

describe.each(cases)('%s, %s', (_, __, finder) => {
  test('rule 41: no failing call leads to absence, and the next look knows again', async () => {
    const { home, openEvidence } = await open(finder);
    const clean = await look(home, openEvidence());
    // Without a fault it is proven not to have landed: else this test could not fail.
    expect(clean.map(({ verdict }) => verdict)).toEqual(['absent', 'absent']);
    expect(clean[0].calls).not.toEqual([]);
    for (const [nth, { calls }] of clean.entries()) {
      for (const at of calls.keys()) {
        for (const code of sweepList(codes)) {
          const what = `${code} at ${calls[at]} of look ${nth}`;
          const evidence = openEvidence();
          const looks = await look(home, evidence, { nth, at, code });
          expect(looks[nth]?.hasFailed, what).toBe(true);
          expect(harmless(looks[nth]), what).toBe('harmless');
          const after = await look(home, evidence);
          expect(after[1]?.verdict, `after ${what}`).toBe('absent');
          evidence.close();
        }
      }
    }
  });

  test('rule 41: what has landed is never called absent, whatever fails', async () => {
    const { home, openEvidence } = await open(finder, true);
    const clean = await look(home, openEvidence());
    expect(clean.map(harmless)).toEqual(['harmless', 'harmless']);
    for (const [nth, { calls }] of clean.entries()) {
      for (const at of calls.keys()) {
        for (const code of sweepList(codes)) {
          const evidence = openEvidence();
          const looks = await look(home, evidence, { nth, at, code });
          expect(looks.map(harmless), `${code} at ${calls[at]} of look ${nth}`).toEqual([
            'harmless',
            'harmless',
          ]);
          evidence.close();
        }
      }
    }
  });
});

const withFile = cases.filter(([, , { records }]) => records.length > 0);

describe.each(withFile)('%s, %s', (_, __, finder) => {
  test('rule 41: half a line, and what a next life appends to it, may be the one', async () => {
    const { home, openEvidence } = await open(finder);
    const evidence = openEvidence();
    expect(await last(home, evidence)).toBe('absent');
    const line = JSON.stringify(finder.landing);
    const path = join(home, finder.file ?? '');
    // Cut before the mark: nothing in it says whose it is.
    appendFileSync(path, line.slice(0, line.indexOf('mark_') - 3));
    expect(await last(home, evidence)).not.toBe('absent');
    expect(await last(home, openEvidence())).not.toBe('absent');
    appendFileSync(path, `${JSON.stringify(finder.records[0])}\n`);
    expect(await last(home, evidence)).not.toBe('absent');
    expect(await last(home, openEvidence())).not.toBe('absent');
  });

  test.each(['replaced', 'removed'] as const)(
    'rule 41: a file that is %s between two calls proves nothing',
    async (how) => {
      const { home, openEvidence } = await open(finder);
      const path = join(home, finder.file ?? '');
      const [first] = await look(home, openEvidence());
      const opened = first?.calls.findIndex((call) => call.startsWith('handle.read ')) ?? -1;
      expect(opened).toBeGreaterThan(0);
      const text = [...finder.records, finder.landing].map((one) => `${JSON.stringify(one)}\n`);
      const evidence = openEvidence();
      await ready(home, evidence);
      let calls = 0;
      // From the file's own first read on, and once.
      failingFiles.before = (call, at) => {
        if (call !== 'handle.read' || at !== path || calls++ > 0) return;
        if (how === 'removed') rmSync(path);
        else {
          writeFileSync(`${path}.new`, text.join(''));
          renameSync(`${path}.new`, path);
        }
      };
      const looks = await look(home, evidence);
      expect(looks[0]?.verdict).not.toBe('absent');
      if (how === 'replaced') expect(looks[1]?.verdict).not.toBe('absent');
    },
  );

  test('rule 41: where the CLI keeps its records elsewhere, nothing is proven', async () => {
    if (finder.serve) return;
    const { home, openEvidence } = await open(finder);
    expect(await last(home, openEvidence({ env: {} }))).not.toBe('absent');
  });
});

const resumable = finders.filter(
  ({ provider, file, records }, i) =>
    provider.findSaved &&
    file !== undefined &&
    records.length > 0 &&
    finders.findIndex((other) => other.provider === provider && other.records.length > 0) === i,
);

test.each(resumable.map((finder) => [finder.provider.name, finder] as const))(
  'rule 41: %s: a conversation is missing only when every place was read',
  async (_, finder) => {
    const { home } = await open({ ...finder, records: [] });
    const find = () =>
      finder.provider.findSaved?.({ conversation, cwd: '/srv/app', env: { HOME: home } });
    failingFiles.begin(home);
    expect(await find()).toBe('missing');
    const { calls } = failingFiles.end();
    for (const at of calls.keys()) {
      for (const code of sweepList(codes)) {
        failingFiles.begin(home, { failure: { at, code } });
        expect(await find(), `${code} at ${calls[at]}`).toBe('unknown');
        expect(failingFiles.end().hasFailed).toBe(true);
      }
    }
  },
);

interface Looked {
  readonly finding: Finding | undefined;
  readonly verdict: unknown;
  readonly calls: readonly string[];
  readonly hasFailed: boolean;
}

type Fault = { readonly nth: number; readonly at: number; readonly code: (typeof codes)[number] };

const attempts = new WeakMap<Evidence, { readonly finder: Finder; readonly trace: AttemptTrace }>();

/** Two looks, with rest between them; one call of one of them fails. */
async function look(
  home: string,
  evidence: Evidence,
  fault?: Fault,
): Promise<readonly [Looked, Looked]> {
  await ready(home, evidence);
  const looks: Looked[] = [];
  for (const nth of [0, 1]) {
    passedMs += betweenMs;
    const { aside } = attempts.get(evidence)?.finder ?? {};
    const failure = fault?.nth === nth ? { failure: fault } : {};
    failingFiles.begin(home, { ...failure, ...(aside === undefined ? {} : { aside }) });
    const finding = await judge(evidence);
    looks.push({ finding, verdict: verdictOn(evidence, finding), ...failingFiles.end() });
  }
  return looks as [Looked, Looked] & Looked[];
}

async function last(home: string, evidence: Evidence): Promise<unknown> {
  return (await look(home, evidence))[1].verdict;
}

async function ready(_home: string, evidence: Evidence): Promise<void> {
  if (!attempts.get(evidence)?.finder.joins) return;
  await waitFor(async () => expect((await judge(evidence))?.isUnasked).not.toBe(true));
}

async function judge(evidence: Evidence): Promise<Finding | undefined> {
  const trace = attempts.get(evidence)?.trace;
  return trace && (await evidence.judge([trace]))[0];
}

/**
 * What delivery makes of it once the agent has rested for as long as it takes: `absent` queues an
 * unmarked copy.
 */
function verdictOn(evidence: Evidence, finding: Finding | undefined): unknown {
  const { finder, trace } = attempts.get(evidence) ?? {};
  if (!finder || !trace || !finding) return 'no finding';
  return judgeAttempt({
    claim: { route: trace.route, step: 'begun', provable: true },
    isLive: trace.isAlive,
    isResumed: !trace.isAlive,
    isUncertain: !trace.isAlive,
    finding,
    view: { status: 'idle', composer: 'empty', atRestSince: 0, humanKeyAt: 0 },
    hasWaitingHook: finder.provider.capabilities.waitingHook === true,
    since: 0,
    now: 1_000_000,
  });
}

function harmless(looked: Looked | undefined): unknown {
  const { verdict, finding } = looked ?? {};
  return verdict === 'absent' || verdict === 'removed' || !finding ? finding : 'harmless';
}

async function open(finder: Finder, hasLanded = false) {
  const life = await openFinder(finder, hasLanded);
  const openEvidence = (wish: Partial<AgentContext> = {}): Evidence => {
    const evidence = life.openEvidence(wish);
    const trace = {
      mark,
      at: Date.parse('2026-11-15T12:50:00Z'),
      isSubmitted: false,
      conversation,
    };
    attempts.set(evidence, { finder, trace: { ...trace, ...finder.attempt } });
    return evidence;
  };
  return { home: life.home, openEvidence };
}
