import type { HealthView } from '../protocol/daemon.ts';
import type { Mark } from './marks.ts';
import { revealDocument } from './reveal-document.ts';
import { tellMoment } from './tell-time.ts';

/** One part of signalbox, and whether it can be used. */
export interface HealthRow {
  readonly id: string;
  readonly name: string;
  readonly mark: Mark;
  readonly state: string;
  readonly facts: readonly string[];
}

export interface HealthPage {
  readonly ok: boolean;
  readonly version: string;
  readonly running: number;
  readonly troubled: readonly string[];
  readonly parts: readonly HealthRow[];
  readonly providers: readonly HealthRow[];
}

const good: Mark = { shape: 'tick', tone: 'rest' };
const poor: Mark = { shape: 'cross', tone: 'bad' };
const none: Mark = { shape: 'bar', tone: 'faint' };

const marks: Readonly<Record<string, Mark>> = {
  running: good,
  ready: good,
  found: good,
  missing: none,
  connecting: { shape: 'dots', tone: 'faint' },
  unknown: { shape: 'question', tone: 'faint' },
};

export function viewHealth(told: HealthView): HealthPage {
  const health = revealDocument(told);
  const { daemon, ledger, backends, providers } = health.components;
  return {
    ok: health.ok,
    version: health.version,
    running: health.agents.running,
    troubled: health.agents.troubled,
    parts: [
      row('daemon', 'daemon', daemon.state, [
        daemon.pid === undefined ? undefined : `pid ${daemon.pid}`,
        daemon.since && `since ${tellMoment(daemon.since)}`,
        daemon.memoryBytes && `${Math.round(daemon.memoryBytes / 1e6)} MB`,
        daemon.openFiles === undefined ? undefined : `${daemon.openFiles} open files`,
        daemon.subscribers === undefined
          ? undefined
          : `${daemon.subscribers} event ${daemon.subscribers === 1 ? 'stream' : 'streams'}`,
      ]),
      row('ledger', 'ledger', ledger.state, [ledger.path, ledger.detail]),
      ...Object.entries(backends).map(([name, { state, version, detail, agents, isDefault }]) =>
        row(`backend:${name}`, name, state, [
          version,
          isDefault ? 'the default' : undefined,
          `${agents} ${agents === 1 ? 'agent' : 'agents'}`,
          detail,
        ]),
      ),
    ],
    providers: Object.entries(providers)
      .map(([name, { state, version, path, detail }]) =>
        row(`provider:${name}`, name, state, [version, path, detail]),
      )
      .sort((a, b) => Number(a.state !== 'found') - Number(b.state !== 'found')),
  };
}

function row(
  id: string,
  name: string,
  state: string,
  facts: readonly (string | number | undefined)[],
): HealthRow {
  const told = facts.flatMap((fact) => (fact === undefined || fact === '' ? [] : [String(fact)]));
  return { id, name, mark: marks[state] ?? poor, state, facts: told };
}
