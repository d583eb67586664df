import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { findCli } from '../find-cli.ts';
import type { LabProgram } from '../life/box.ts';
import type { CliName } from '../versions.ts';

/**
 * A package, a Node and a folder of tools that belong to one agent alone, so that each can be
 * deleted under it without touching the machine's own. The Node is a file of its own: a link would
 * be resolved to the machine's.
 */
export class BareGround {
  readonly #folder: string;
  readonly #package: string;
  readonly #cli: string;

  private constructor(folder: string, packageFolder: string, cli: string) {
    this.#folder = folder;
    this.#package = packageFolder;
    this.#cli = cli;
  }

  static open(name: CliName, program: string): BareGround {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-lab-ground-'));
    // Below node_modules, where it finds its native dependency.
    const parent = resolve('node_modules', '.cache');
    const packageFolder = mkdtempSync(join(parent, 'signalbox-lab-gone-'));
    cpSync(dirname(program), packageFolder, { recursive: true });
    const ground = new BareGround(folder, packageFolder, findCli(name).binFolder);
    copyNode(ground.#node);
    ground.#linkTools();
    return ground;
  }

  get program(): LabProgram {
    return { program: join(this.#package, 'signalbox.cjs'), node: this.#node };
  }

  get path(): string {
    return [this.#cli, this.#tools].join(delimiter);
  }

  /**
   * The Node that the daemon was started with, and those on the agent's PATH that are not the CLI's
   * own.
   */
  removeNode(): void {
    rmSync(this.#node);
    rmSync(join(this.#tools, 'node'), { force: true });
  }

  removeCurl(): void {
    rmSync(join(this.#tools, 'curl'));
  }

  removePackage(): void {
    rmSync(this.#package, { recursive: true });
  }

  remove(): void {
    for (const one of [this.#folder, this.#package]) rmSync(one, { recursive: true, force: true });
  }

  get #tools(): string {
    return join(this.#folder, 'tools');
  }

  get #node(): string {
    return join(this.#folder, 'node');
  }

  #linkTools(): void {
    mkdirSync(this.#tools);
    const seen = new Set<string>();
    for (const place of [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']) {
      for (const name of readdirSync(place)) {
        if (!seen.has(name)) symlinkSync(join(place, name), join(this.#tools, name));
        seen.add(name);
      }
    }
  }
}

function copyNode(to: string): void {
  try {
    linkSync(process.execPath, to);
  } catch {
    // Another volume, or not ours to link.
    copyFileSync(process.execPath, to);
  }
}
