import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { userAgentId } from '../../src/agents/agent.ts';
import type { WantedLaunch } from '../../src/fleet/fleet.ts';
import { openFleet } from '../../src/fleet/open.ts';
import type { FleetParts } from '../../src/fleet/parts.ts';
import { openProfileShelf } from '../../src/profiles/shelf.ts';
import { openProviderShelf } from '../../src/providers/registry.ts';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { endTree, listTree } from '../../src/shared/process-tree.ts';
import { type Host, systemHost } from '../../src/shared/processes.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { openBackends } from '../../src/terminals/backends.ts';
import { openTrustBook } from '../../src/trust/book.ts';
import { FakeBackend } from '../fakes/backend.ts';
import { idleDelivery } from '../fakes/idle-delivery.ts';

export interface WorldOptions {
  /** The first is the default one. */
  readonly backends?: readonly [FakeBackend, ...FakeBackend[]];
  readonly ledger?: MemoryLedger;
  readonly delivery?: FleetParts['delivery'];
  readonly tools?: FleetParts['tools'];
  readonly ownEnv?: FleetParts['ownEnv'];
  readonly clock?: Clock;
  readonly host?: Host;
}

/** A fleet of real processes in terminals without screens. */
export async function openWorld(options: WorldOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-fleet-'));
  const mark = `SIGNALBOX_TEST_FLEET=${folder}`;
  const ledger = options.ledger ?? new MemoryLedger();
  const [backend, ...others] = options.backends ?? [new FakeBackend()];
  const warnings: string[] = [];
  const told: string[] = [];
  const nothing = () => undefined;
  const warn = (facts: object, text: string) =>
    void warnings.push(`${text}: ${JSON.stringify(facts)}`);
  const fleet = openFleet({
    ledger,
    backends: openBackends({
      default: backend.name,
      names: [backend, ...others].map(({ name }) => name),
      open: Object.fromEntries([backend, ...others].map((one) => [one.name, () => one])),
    }),
    surroundings: { clock: options.clock ?? systemClock, host: options.host ?? systemHost },
    providers: openProviderShelf({ config: folder, state: folder }),
    profiles: openProfileShelf({ config: folder, state: folder }),
    trust: openTrustBook({ config: folder, state: folder }),
    limits: { depth: 3, breadth: 10, idleStopMs: 0 },
    folders: {
      run: join(folder, 'run'),
      logs: join(folder, 'logs'),
      snapshots: join(folder, 'snapshots'),
      worktrees: join(folder, 'worktrees'),
      spool: join(folder, 'spool'),
    },
    announce: {
      ...{
        launched: nothing,
        exited: nothing,
        rehomed: nothing,
        removed: nothing,
        output: nothing,
      },
      status: ({ name }, view) => void told.push(`${name} ${view.status} ${view.detail ?? ''}`),
    },
    log: { info: nothing, warn, error: warn },
    delivery: options.delivery ?? idleDelivery,
    agentEnv: { SIGNALBOX_TEST_FLEET: folder },
    ownEnv: options.ownEnv ?? {},
    tools: options.tools ?? (async () => undefined),
    hookCommand: (event) => `true ${event}`,
  });
  onTestFinished(async () => {
    for (const { gates } of [backend, ...others]) gates.list = async () => undefined;
    await fleet.close();
    await endTree(() => listTree(undefined, [mark]), systemClock, 100);
    rmSync(folder, { recursive: true, force: true });
  });
  await fleet.start();
  const launch = (name: string, more: Partial<WantedLaunch> = {}): Promise<Agent> =>
    fleet.launch(wanted(name, more));
  return { fleet, backend, ledger, launch, told, warnings };
}

export function wanted(name: string, more: Partial<WantedLaunch>): WantedLaunch {
  return {
    ...{ provider: 'generic', name, session: 'default', parent: undefined, notify: true },
    ...{ role: {}, worktree: false },
    ...{ cwd: '/', model: undefined, extraArgs: ['sleep', '600'], callerEnv: env() },
    ...{ extraEnv: {}, callerAgent: userAgentId, message: undefined },
    ...more,
  };
}

export function env(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '' };
}

export function pidOf(backend: FakeBackend, agent: string): number {
  const sights = [...backend.sights.values()];
  return sights.find(({ terminal }) => terminal.agent === agent)?.terminal.pid ?? 0;
}

export async function status(ledger: MemoryLedger, id: string): Promise<string | undefined> {
  return (await ledger.read((tx) => tx.agents.find(id)))?.status;
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let left = 6000; !(await isSo()); left--) {
    if (left === 0) throw new Error('waited in vain');
    await systemClock.sleep(20);
  }
}
