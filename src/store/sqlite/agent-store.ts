import { type Agent, userAgentId } from '../../agents/agent.ts';
import type { AgentStore, KnownStatus, NameInSession } from '../../agents/agent-store.ts';
import type { EndedBy, EndsWith } from '../../agents/ending.ts';
import type { Worktree } from '../../agents/role.ts';
import { type AgentRow, toAgent, toEnding, toName } from './agent-rows.ts';
import type { Connection } from './connection.ts';
import { forgetAgent, listForgettable } from './forget-agent.ts';

export class SqliteAgentStore implements AgentStore {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async insert(agent: Agent): Promise<Agent | undefined> {
    const { changes } = this.#db.statement(insertAgent).run({
      ...agent,
      detail: agent.detail ?? null,
      parent: agent.parent ?? null,
      notify: agent.notify ? 1 : 0,
      role: agent.role ? JSON.stringify(agent.role) : null,
      worktree: agent.worktree ? JSON.stringify(agent.worktree) : null,
      endsWith: agent.endsWith ?? null,
    });
    if (changes !== 1) return undefined;
    return this.#one(selectById, agent.id)?.namesakes ? { ...agent, namesakes: true } : agent;
  }

  async find(id: string): Promise<Agent | undefined> {
    return this.#one(selectById, id);
  }

  async isLiving(id: string): Promise<boolean> {
    return this.#db.statement(selectLives).get(id) !== undefined;
  }

  async findLiving(id: string): Promise<Pick<Agent, 'endedBy'> | undefined> {
    const row = this.#db.statement(selectLives).get(id) as Pick<AgentRow, 'ended_by'> | undefined;
    if (!row) return undefined;
    const { endedBy } = toEnding({ ...row, ends_with: null, called_by: null, background: null });
    return endedBy === undefined ? {} : { endedBy };
  }

  async listByName(name: string): Promise<readonly Agent[]> {
    return (this.#db.statement(selectByName).all(name) as AgentRow[]).map(toAgent);
  }

  async list(session?: string): Promise<readonly Agent[]> {
    const rows = this.#db.statement(selectLiving).all({ session: session ?? null }) as AgentRow[];
    return rows.map(toAgent);
  }

  async listNames(ids: readonly string[]): Promise<ReadonlyMap<string, NameInSession>> {
    const names = new Map<string, NameInSession>();
    for (const id of new Set(ids)) {
      const row = this.#db.statement(selectById).get(id) as AgentRow | undefined;
      if (row) names.set(id, toName(row));
    }
    return names;
  }

  async setParent(id: string, parent: string | undefined): Promise<void> {
    this.#db.statement(updateParent).run(parent ?? null, id);
  }

  async listChildren(parent: string): Promise<readonly Agent[]> {
    return (this.#db.statement(selectChildren).all(parent) as AgentRow[]).map(toAgent);
  }

  async setWorktree(id: string, worktree: Worktree, cwd: string): Promise<void> {
    this.#db.statement(updateWorktree).run({ id, worktree: JSON.stringify(worktree), cwd });
  }

  async setCwd(id: string, cwd: string): Promise<void> {
    this.#db.statement(updateCwd).run(cwd, id);
  }

  async setEpoch(id: string, epoch: number): Promise<void> {
    this.#db.statement(updateEpoch).run(epoch, id);
  }

  async setStatus(id: string, status: KnownStatus): Promise<void> {
    this.#db.statement(updateStatus).run({ ...status, id, detail: status.detail ?? null });
  }

  async setEndsWith(id: string, endsWith: EndsWith | undefined): Promise<void> {
    this.#db.statement(updateEndsWith).run(endsWith ?? null, id);
  }

  async setEnded(id: string, by: EndedBy | undefined): Promise<void> {
    this.#db.statement(updateEnded).run(by ?? null, id);
  }

  async callBack(id: string, by: string): Promise<boolean> {
    const { changes } = this.#db.statement(updateCalled).run({ id, by, user: userAgentId });
    return changes === 1;
  }

  async dropCall(id: string): Promise<void> {
    this.#db.statement(updateNotCalled).run(id);
  }

  async setBackground(id: string, tasks: number | undefined): Promise<void> {
    this.#db.statement(updateBackground).run(tasks ?? null, id);
  }

  async listWorkers(): Promise<readonly Agent[]> {
    return (this.#db.statement(selectWorkers).all() as AgentRow[]).map(toAgent);
  }

  async markRemoved(id: string, at: number, isByUser: boolean): Promise<void> {
    this.#db.statement(updateRemoved).run(at, isByUser ? 1 : 0, id);
  }

  async markInboxSettled(id: string): Promise<void> {
    this.#db.statement(updateSettled).run(id);
  }

  async listUnsettled(): Promise<readonly Agent[]> {
    return (this.#db.statement(selectUnsettled).all() as AgentRow[]).map(toAgent);
  }

  async listForgettable(before: number): Promise<readonly string[]> {
    return listForgettable(this.#db, before);
  }

  async forget(id: string): Promise<void> {
    forgetAgent(this.#db, id);
  }

  async findSession(root: string): Promise<string | undefined> {
    const row = this.#db.statement(selectSession).get(root) as { name: string } | undefined;
    return row?.name;
  }

  async findRoot(session: string): Promise<string | undefined> {
    const row = this.#db.statement(selectRoot).get(session) as { root: string } | undefined;
    return row?.root;
  }

  async setRoot(session: string, root: string): Promise<void> {
    this.#db.statement(insertSession).run(session, root);
  }

  #one(sql: string, key: string): Agent | undefined {
    const row = this.#db.statement(sql).get(key) as AgentRow | undefined;
    return row && toAgent(row);
  }
}

const insertAgent = `
  insert into agents (id, name, session, provider, backend, epoch, status, detail, source, since, parent, notify, cwd,
    created_at, role, worktree, ends_with)
  values (@id, @name, @session, @provider, @backend, @epoch, @status, @detail, @source, @since, @parent, @notify, @cwd,
    @createdAt, @role, @worktree, @endsWith)
  on conflict (name, session) where removed_at is null do nothing`;
const selectAgent = `
  select agents.*, exists (
    select 1 from agents as other
    where other.name = agents.name and other.removed_at is null and other.id <> agents.id) as namesakes
  from agents`;
const selectById = `${selectAgent} where id = ?`;
const selectLives = 'select ended_by from agents where id = ? and removed_at is null';
const selectByName = `${selectAgent} where name = ? and removed_at is null order by session`;
const selectLiving = `
  ${selectAgent} where removed_at is null and (@session is null or session = @session)
  order by name, session`;
const selectChildren = `${selectAgent} where parent = ? and removed_at is null order by created_at, id`;
const selectUnsettled = `${selectAgent} where removed_at is not null and inbox_settled = 0`;
const updateParent = 'update agents set parent = ? where id = ?';
const updateWorktree = 'update agents set worktree = @worktree, cwd = @cwd where id = @id';
const updateCwd = 'update agents set cwd = ? where id = ?';
const updateEpoch = 'update agents set epoch = ? where id = ?';
const updateStatus = `
  update agents set status = @status, detail = @detail, source = @source, since = @since where id = @id`;
const updateEndsWith = 'update agents set ends_with = ? where id = ?';
const updateEnded = 'update agents set ended_by = ?, called_by = null where id = ?';
// The rule of `comesBack`, repeated where it is written.
const updateCalled = `
  update agents set called_by = case when called_by = @user then called_by else @by end
  where id = @id and removed_at is null and ended_by in ('task', 'rest', 'parent') and @by in (parent, @user)`;
const updateNotCalled = 'update agents set called_by = null where id = ?';
const updateBackground = 'update agents set background = ? where id = ?';
const selectWorkers = `
  ${selectAgent} where removed_at is null and (called_by is not null or (ends_with is not null and status <> 'exited'))
  order by created_at, id`;
const updateRemoved =
  'update agents set removed_at = ?, removed_by_user = ? where id = ? and removed_at is null';
const selectSession = 'select name from sessions where root = ?';
const selectRoot = 'select root from sessions where name = ?';
const insertSession = 'insert into sessions (name, root) values (?, ?)';
const updateSettled = 'update agents set inbox_settled = 1 where id = ?';
