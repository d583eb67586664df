import type { Run } from '../../agents/run.ts';
import type { RunStore } from '../../agents/run-store.ts';
import type { Connection } from './connection.ts';

export class SqliteRunStore implements RunStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert(run: Pick<Run, 'agent' | 'title' | 'holder' | 'startedAt'>): Promise<void> {
    const { holder, agent, title, startedAt } = run;
    const { host, boot, pidSpace, pid, startedAt: processStarted } = holder;
    this.#db
      .statement(insertRun)
      .run({ agent, title, host, boot, pidSpace, pid, processStarted, startedAt });
  }

  async find(agent: string): Promise<Run | undefined> {
    const row = this.#db.statement(selectRun).get(agent) as RunRow | undefined;
    return row && toRun(row);
  }

  async listOpen(): Promise<readonly Run[]> {
    return (this.#db.statement(selectOpen).all() as RunRow[]).map(toRun);
  }

  async end(agent: string, at: number, completion: string): Promise<boolean> {
    return this.#db.statement(updateEnd).run({ agent, at, completion }).changes === 1;
  }
}

interface RunRow {
  agent: string;
  title: string;
  host: string;
  boot: string;
  pid_space: string;
  pid: number;
  process_started: string;
  started_at: number;
  ended_at: number | null;
  completion: string | null;
}

function toRun(row: RunRow): Run {
  const { host, boot, pid_space: pidSpace, pid, process_started: startedAt } = row;
  return {
    agent: row.agent,
    title: row.title,
    holder: { host, boot, pidSpace, pid, startedAt },
    startedAt: row.started_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.completion === null ? {} : { completion: row.completion }),
  };
}

const insertRun = `
  insert into runs (agent, title, host, boot, pid_space, pid, process_started, started_at)
  values (@agent, @title, @host, @boot, @pidSpace, @pid, @processStarted, @startedAt)`;
const selectRun = 'select * from runs where agent = ?';
const selectOpen = 'select * from runs where ended_at is null order by started_at, agent';
const updateEnd = `
  update runs set ended_at = @at, completion = @completion where agent = @agent and ended_at is null`;
