import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { pause, systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { keepBugs, reportBug } from '../../shared/report-bug.ts';
import { ControlClient } from './control-client.ts';
import type { Block } from './control-parser.ts';
import { findProgram } from './find-program.ts';
import type { FromReader, ToReader } from './link.ts';
import { Outbox } from './outbox.ts';
import { OutputRelay } from './output-relay.ts';
import type { TmuxPlace } from './place.ts';
import { ensureHub } from './server.ts';

/**
 * A thread of its own that owns the control client and the logs. tmux holds a program back whose
 * output nobody reads, so the reader must never wait for the daemon: it reads on while the daemon's
 * loop is busy, and drops what nobody takes.
 */
if (parentPort) run(workerData as TmuxPlace, parentPort);

function run(wanted: TmuxPlace, port: MessagePort): void {
  const outbox = new Outbox<FromReader>((messages) => port.postMessage(messages));
  const tell = (message: FromReader): void => outbox.put(message);
  const relay = new OutputRelay((news) => tell({ kind: 'news', ...news }));
  keepBugs(({ place, error }) => tell({ kind: 'bug', place, error }));
  const stop = new AbortController();
  let client: ControlClient | undefined;
  let failures = 0;

  /**
   * Connects, and again after each loss, more and more slowly until a connection was set up whole
   * (B11).
   */
  const keepConnected = async () => {
    while (!stop.signal.aborted) {
      try {
        await connectOnce();
      } catch (error) {
        reportBug('connecting to tmux', error);
        tell(describeFailure(error));
      }
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures++);
      await pause(systemClock, pauseMs, stop.signal);
    }
  };

  /** Resolves when the connection has ended. */
  const connectOnce = async (): Promise<void> => {
    const { tmux, version } = await findProgram(wanted);
    const place = { ...wanted, tmux };
    const hub = await ensureHub(place);
    if (stop.signal.aborted) return;
    relay.reset();
    return new Promise((done) => {
      client = new ControlClient(place, hub, {
        output: (pane, bytes) => relay.output(pane, bytes),
        // Of buffers tmux tells from 3.4 on; those are ours.
        notification: (name) => !name.startsWith('%paste-buffer') && relay.changed(),
        ended: (reason) => {
          client = undefined;
          if (!stop.signal.aborted) tell({ kind: 'lost', reason });
          done();
        },
      });
      tell({ kind: 'connected', version, hub, tmux });
    });
  };

  const ask = async (order: ToReader & { kind: 'ask' }) => {
    const { id, watch } = order;
    if (!client) return tell({ kind: 'answer', id, answer: { outcome: 'unsent' } });
    const onBlock = ({ lines }: Block) => {
      const pane = /^p(%\d+)/.exec(lines[0]?.toString('latin1') ?? '')?.[1];
      if (watch && pane) relay.watch(pane, watch);
    };
    const blocks = await client.ask(order.line, { isRaw: order.isRaw, onBlock });
    if (blocks === 'unknown') return tell({ kind: 'answer', id, answer: { outcome: 'unknown' } });
    tell({ kind: 'answer', id, answer: { outcome: 'answered', blocks: blocks.map(toText) } });
  };

  const close = async () => {
    stop.abort();
    await client?.close();
    await relay.close();
    tell({ kind: 'closed' });
    outbox.flush();
    port.close();
  };

  const take = (message: ToReader) => {
    switch (message.kind) {
      case 'ask':
        return void ask(message);
      case 'watch':
        return relay.watch(message.pane, message);
      case 'unwatch':
        return relay.unwatch(message);
      case 'follow':
        return relay.follow(message.pane, message.isOn);
      case 'note':
        return relay.note(message.pane, message.text);
      case 'taken':
        return relay.taken();
      case 'settled':
        failures = 0;
        return relay.settle();
      case 'reconnect':
        return client?.kill('its set-up failed');
      case 'close':
        return void close();
    }
  };
  port.on('message', (messages: readonly ToReader[]) => {
    for (const message of messages) take(message);
  });
  void keepConnected();
}

const firstPauseMs = 50;
const longestPauseMs = 5000;

function toText({ isError, lines }: Block): { isError: boolean; text: string } {
  return { isError, text: lines.map((line) => line.toString('utf8')).join('\n') };
}

function describeFailure(error: unknown): FromReader {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Fault)) return { kind: 'lost', reason };
  const { code, message, next } = error;
  return { kind: 'lost', reason, fault: { code, message, next } };
}
