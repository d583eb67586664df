import { isUtf8 } from 'node:buffer';
import type { Context, MiddlewareHandler } from 'hono';
import { headers, protocolVersion } from '../protocol/daemon.ts';
import { Fault } from '../shared/fault.ts';
import { formatSize } from '../shared/units.ts';
import { seeApi, wrongMediaType } from './fault-response.ts';
import { refuseMethod } from './find-methods.ts';
import { readBounded } from './read-bounded.ts';

/** What every answer carries, so that a client knows whom it talks to before it reads the rest. */
export const nameProtocol: MiddlewareHandler = async (c, next) => {
  // Before the answer is made: a header that is added to a finished one costs Hono a second, whole
  // Response (0.2 ms).
  c.header(headers.protocol, String(protocolVersion));
  await next();
  // Answers that a route has made by itself.
  if (!c.res.headers.has(headers.protocol)) c.header(headers.protocol, String(protocolVersion));
};

/**
 * Requests whose streaming answer @hono/node-server 2.1.6 never ends, so that its reader would stay
 * for ever: those with `Upgrade`, and HEAD, to which it answers with the head of a stream that
 * nobody reads.
 */
export const refuseEndless: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'HEAD') return refuseMethod('HEAD', c.req.path) ?? c.notFound();
  if (c.req.header('upgrade') === undefined) return next();
  throw new Fault('invalid-input', 'This server speaks plain HTTP, without upgrades.', seeApi);
};

/**
 * These mean the same in every version. Health and shutdown: an old client must be able to end a
 * new daemon, and the reverse. What agents' own programs ask: hooks and MCP proxies were started
 * with their agent, and outlive every upgrade of the daemon.
 */
export function isTimeless(path: string): boolean {
  return /^\/(health|shutdown|mcp|hooks\/.*|hand-overs\/.*)$/.test(path);
}

export function refuseOtherProtocols(version: string): MiddlewareHandler {
  return async (c, next) => {
    const said = c.req.header(headers.protocol);
    if (said === undefined || Number(said) === protocolVersion || isTimeless(c.req.path)) {
      return next();
    }
    const isClientOlder = Number(said) < protocolVersion;
    throw new Fault(
      'protocol-mismatch',
      `This daemon (signalbox ${version}) speaks protocol ${protocolVersion}, and the client ${isClientOlder ? 'is older: it' : 'is newer: it'} speaks ${said.slice(0, 20)}.`,
      isClientOlder
        ? 'Call the newer signalbox (`type -a signalbox` lists those on your PATH), or upgrade this one.'
        : 'Run `signalbox down`, then the command again: it starts a daemon of its own version. Agents live on.',
    );
  };
}

/**
 * JSON alone, and bounded before it is parsed. Answers nothing by itself: what is wrong is thrown.
 */
export function boundBodies(limitOf: (path: string) => number | undefined): MiddlewareHandler {
  return async (c, next) => {
    const limit = limitOf(c.req.path);
    if (limit === undefined || c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const bytes = await readBounded(c, limit);
    if (bytes === 'too-large') throw tooLarge(limit);
    if (bytes.length > 0) {
      if (!isJson(c)) throw wrongMediaType();
      // What was read here cannot be read again: the validators find it where Hono keeps it.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(decode(bytes)) });
    }
    return next();
  };
}

/** Bytes that are no text would be kept as other ones (U+FFFD), and nobody would know. */
function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  throw new Fault(
    'invalid-input',
    'The request is not valid UTF-8; nothing was done.',
    'Convert it (iconv); of a file send the path.',
  );
}

function isJson(c: Context): boolean {
  return /^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '');
}

function tooLarge(limit: number): Fault {
  return new Fault(
    'body-too-large',
    `The request has more than ${formatSize(limit)}; nothing was done.`,
    'Send less: long texts belong into a file whose path is sent.',
  );
}
