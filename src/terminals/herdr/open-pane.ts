import { OutsideFailure, reportBug } from '../../shared/report-bug.ts';
import type { WantedTerminal } from '../terminal.ts';
import { closePane } from './close.ts';
import { labelOf } from './identity.ts';
import type { Life } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { isObject } from './request.ts';
import type { RoomNote } from './rooms.ts';
import { getPane } from './screen.ts';
import { type Json, textOf } from './wire.ts';

/** A workspace for one agent. */
export interface Room {
  readonly workspace: string;
  /** Ends what herdr had put there: a program of ours is in it. */
  tidy(): Promise<void>;
  /** Nothing moves in any more: it is closed with the next look. */
  leave(): void;
  /** The tab that the first program takes the place of; undefined once it did. */
  takeTab(): string | undefined;
}

/** A start may take longer than a question. */
const startMs = 15_000;

export async function openWorkspace(parts: HerdrParts, wanted: WantedTerminal): Promise<Room> {
  const { link, rooms } = parts;
  const { isOld } = link.server();
  const begun = rooms.begin(parts.place.socket);
  const leave = (): void => rooms.leave(begun);
  try {
    return await makeRoom(parts, wanted, { begun, isOld, leave });
  } catch (error) {
    leave();
    throw error;
  }
}

async function makeRoom(
  parts: HerdrParts,
  { name, cwd }: WantedTerminal,
  { begun, isOld, leave }: { begun: RoomNote; isOld: boolean; leave: () => void },
): Promise<Room> {
  const { link, ledgerId, rooms } = parts;
  const params = { cwd, label: begun.id, focus: false };
  const made = await link.ask('workspace.create', params, startMs);
  const workspace = textOf(part(made, 'workspace'), 'workspace_id');
  const root = textOf(part(made, 'root_pane'), 'terminal_id');
  const note = rooms.found(begun, root);
  await link.ask('workspace.rename', { workspace_id: workspace, label: name });
  let tab: string | undefined = textOf(part(made, 'tab'), 'tab_id');
  if (!isOld) {
    const tokens = { signalbox_ledger: ledgerId };
    await mark(parts, 'workspace.report_metadata', { workspace_id: workspace, tokens });
  }
  return {
    workspace,
    takeTab: () => {
      const taken = tab;
      tab = undefined;
      return taken;
    },
    // Where a layout takes the tab's place the shell has gone with it.
    tidy: async () => {
      if (isOld) await closePane(parts, root);
      rooms.forget(note);
    },
    leave,
  };
}

export interface WantedProgram {
  readonly life: Life;
  readonly name: string;
  readonly cwd: string;
  readonly argv: readonly string[];
}

/** Where a program was started: its terminal, and the address of that. */
interface Started {
  readonly terminal: string;
  readonly pane: string;
}

/** Runs a program in a terminal of its own there, without a shell. */
export function startIn(parts: HerdrParts, room: Room, program: WantedProgram): Promise<Started> {
  return parts.link.server().isOld
    ? startAgent(parts, room, program)
    : applyLayout(parts, room, program);
}

async function applyLayout(
  parts: HerdrParts,
  room: Room,
  { life, name, cwd, argv }: WantedProgram,
): Promise<Started> {
  const tab = room.takeTab();
  const root = { type: 'pane', label: labelOf(life), cwd, command: argv };
  const where = tab === undefined ? { workspace_id: room.workspace } : { tab_id: tab };
  const params = { ...where, tab_label: name, focus: false, root };
  const { layout } = await parts.link.ask('layout.apply', params, startMs);
  const pane = textOf(part(layout, 'root'), 'pane_id');
  const { terminal } = await getPane(parts, pane);
  if (terminal === '') throw new OutsideFailure('herdr does not say which terminal it has opened');
  // In herdr's list of agents it goes by its own name; the name by which its state is reported must
  // be nobody else's.
  const shown = { pane_id: pane, tokens: tokensOf(parts, life), display_agent: name };
  await mark(parts, 'pane.report_metadata', shown);
  return { terminal, pane };
}

/** herdr 0.6.8 knows no layouts; its name for what was started is also the pane's label. */
async function startAgent(
  parts: HerdrParts,
  room: Room,
  { life, cwd, argv }: WantedProgram,
): Promise<Started> {
  const params = { name: labelOf(life), argv, cwd, workspace_id: room.workspace, focus: false };
  const { agent } = await parts.link.ask('agent.start', params, startMs);
  const terminal = textOf(part(agent), 'terminal_id');
  if (terminal === '') throw new OutsideFailure('herdr does not say which terminal it has opened');
  return { terminal, pane: textOf(part(agent), 'pane_id') };
}

/** For people, and for whoever looks from outside; nothing of ours depends on it. */
async function mark({ link }: HerdrParts, method: string, params: Json): Promise<void> {
  await link
    .ask(method, { source: 'signalbox', ...params })
    .catch((error) => reportBug('marking a terminal in herdr', error));
}

function tokensOf({ ledgerId }: HerdrParts, { agent, epoch }: Life): Json {
  return {
    signalbox_ledger: ledgerId,
    signalbox_agent: agent,
    signalbox_epoch: String(epoch),
  };
}

function part(record: unknown, name?: string): Json {
  const value = name === undefined ? record : isObject(record) ? record[name] : undefined;
  return isObject(value) ? value : {};
}
