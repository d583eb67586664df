import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { isNetworkClosed } from '../../test/lab/network.ts';
import { NotStarted } from '../suite.ts';
import { deckVersion, findDeck, nameDeck } from './deck/find-deck.ts';
import { caoVersion, installCao } from './install-cao.ts';
import { findOwnSetup } from './own-setup.ts';

const explain = (deck: string | undefined): string => `This bench installs and runs code of others:
  - cli-agent-orchestrator ${caoVersion} and what it depends on, from PyPI, into a virtual environment in the lab's cache
  - Claude Code and Codex, which \`npm run lab:install -- claude-code codex\` has installed${deck === undefined ? '' : `\n  - agent-deck ${deckVersion}, which AGENT_DECK_BIN names: ${deck}`}
Each tool gets a HOME, a folder for tmux and a port of its own, below the temporary folder. A mock model on loopback
answers the CLIs; the network of the run is loopback alone where root, unshare and ip allow that.`;

/**
 * Before the network is closed: says what will run, asks for a yes, and installs CAO. The program
 * starts itself again in the closed network; what was said here holds there, too.
 */
export async function preparePeers(isAgreed: boolean): Promise<void> {
  const deck = nameDeck(process.env);
  const isFirst = !isAgreed || !isNetworkClosed();
  if (isFirst) say(explain(deck));
  if (!isAgreed && !(await asks())) throw new NotStarted('Not started: say yes, or give --yes.');
  if (!isAgreed) process.argv.push('--yes');
  // It runs the program, so not before the yes.
  findDeck(process.env);
  const cao = installCao(say);
  if ('why' in cao) say(`LEFT OUT: CAO ${caoVersion}: ${cao.why}`);
}

/** In the network of the run. */
export async function refuseOwnSetup(): Promise<void> {
  const found = await findOwnSetup({
    folder: tmpdir(),
    isClosed: isNetworkClosed(),
    exists: existsSync,
    isTaken: answers,
  });
  if (found.length === 0) return;
  const lines = found.map((line) => `  - ${line}`).join('\n');
  throw new NotStarted(`Not started: the run would see a set-up of yours.\n${lines}`);
}

async function asks(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question('Go on? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    // Nobody listens there, or nobody may be asked: either way nothing of ours gets an answer.
    socket.once('error', () => done(false));
  });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
