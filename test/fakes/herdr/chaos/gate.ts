import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:net';

/**
 * The listening socket, which can be taken away for a while. Connections that are open stay open.
 */
export class Gate {
  readonly #path: string;
  readonly #listen: () => Promise<Server>;
  #server: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isShut = false;
  /** The file that was left behind, if one was. */
  #left: string | undefined;

  constructor(path: string, listen: () => Promise<Server>) {
    this.#path = path;
    this.#listen = listen;
  }

  async open(): Promise<void> {
    clearTimeout(this.#timer);
    // Another server has come meanwhile; herdr takes no path back from one that listens.
    if (this.#server || (this.#isShut && this.#file() !== this.#left)) return;
    rmSync(this.#path, { force: true });
    this.#server = await this.#listen();
    chmodSync(this.#path, 0o600);
  }

  /**
   * `refuse` leaves the socket's file behind, as a crash does; without it the file is gone, as
   * after a stop.
   */
  shut(ms: number | undefined, isFileLeft: boolean): void {
    clearTimeout(this.#timer);
    if (ms !== undefined) this.#timer = setTimeout(() => void this.open(), ms);
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const aside = `${this.#path}.aside`;
    // Node removes the file of a server that it closes.
    if (isFileLeft) renameSync(this.#path, aside);
    server.close();
    if (isFileLeft) renameSync(aside, this.#path);
    this.#isShut = true;
    this.#left = this.#file();
  }

  /** With its time of change: file systems give the number of a removed file to the next one. */
  #file(): string | undefined {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.ino} ${stat.ctimeNs}`;
  }
}
