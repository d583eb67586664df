import { asObject, asText, type Json } from '../../shared/json.ts';
import type { LiveContext } from '../way-in.ts';
import { type Exchange, exchange, type ServerAddress } from './server.ts';
import { expectShown, readShown } from './shown.ts';

/** Where a message goes, and with which settings its turn runs. */
export type Choice =
  | { readonly session: string; readonly settings: Json }
  /** Why there is no such place. */
  | { readonly reason: string };

/** A sub-agent's session is below another one; deeper than this nothing was ever seen. */
const mostParents = 10;

/**
 * The session that the person sees is the one that is addressed. A fresh terminal, and one after
 * /new, shows none: one is made and shown. Where nobody tells what is shown, the agent's
 * conversation is brought to the fore first. Agent and model are those of the conversation's last
 * prompt: without a word the server would take its own, and a conversation that plans would begin
 * to build (1.18.33).
 */
export class Place {
  readonly #address: ServerAddress;
  readonly #life: LiveContext;

  constructor(address: ServerAddress, life: LiveContext) {
    this.#address = address;
    this.#life = life;
  }

  async choose(): Promise<Choice> {
    const found = await this.find();
    if (found === undefined) return await this.#begin();
    const shown = readShown(this.#life.current().runFolder);
    const isShown = shown !== undefined && !(typeof shown === 'object' && 'isAwaited' in shown);
    if ('reason' in found || isShown) return found;
    return (await this.#show(found.session)) ?? found;
  }

  /** The conversation as it is; undefined when there is none, or the person has left it. */
  async find(): Promise<Choice | undefined> {
    const { runFolder, conversation } = this.#life.current();
    const shown = readShown(runFolder);
    // The person may be anywhere: nothing is brought to the fore over them.
    if (shown === 'unreadable') return { reason: 'what its terminal shows cannot be read now' };
    if (shown?.view === 'home') return undefined;
    const wanted = shown?.view === 'session' ? shown.session : conversation;
    const found = wanted === undefined ? 'gone' : await this.#findRoot(wanted);
    return found === 'gone' ? undefined : found;
  }

  async #begin(): Promise<Choice> {
    const expect = expectShown(this.#life.current().runFolder);
    const made = await this.#ask('POST', '/session', {});
    if ('reason' in made) return made;
    const session = asText(made.body['id']);
    if (session === undefined) return { reason: 'OpenCode began no conversation' };
    expect(session);
    return (await this.#show(session)) ?? { session, settings: this.#firstSettings() };
  }

  /** Undefined when it is done. */
  async #show(sessionID: string): Promise<{ readonly reason: string } | undefined> {
    const shown = await this.#ask('POST', '/tui/select-session', { sessionID });
    return 'reason' in shown ? shown : undefined;
  }

  async #findRoot(id: string): Promise<Choice | 'gone'> {
    let session = id;
    for (let depth = 0; depth < mostParents; depth++) {
      const answer = await exchange(this.#address, {
        method: 'GET',
        path: `/session/${encodeURIComponent(session)}`,
      });
      if (answer.outcome === 'answered' && answer.status === 404) return 'gone';
      const read = readBody(answer);
      if ('reason' in read) return read;
      const parent = asText(read.body['parentID']);
      if (parent === undefined) {
        const settings = readSettings(read.body);
        // One that was begun just now has none of its own yet.
        const isFresh = Object.keys(settings).length === 0;
        return { session, settings: isFresh ? this.#firstSettings() : settings };
      }
      session = parent;
    }
    return { reason: `the session ${id} has no beginning` };
  }

  /** The terminal was told these; the server was not. */
  #firstSettings(): Json {
    const { agent, model } = this.#address;
    const slash = model?.indexOf('/') ?? -1;
    return {
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined || slash < 1
        ? {}
        : { model: { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) } }),
    };
  }

  async #ask(
    method: string,
    path: string,
    body: Json,
  ): Promise<{ readonly body: Json } | { readonly reason: string }> {
    return readBody(await exchange(this.#address, { method, path, body }));
  }
}

function readBody(answer: Exchange): { readonly body: Json } | { readonly reason: string } {
  if (answer.outcome !== 'answered') return { reason: answer.reason };
  if (answer.status !== 200) return { reason: `OpenCode answers ${answer.status}` };
  return { body: asObject(answer.body) };
}

function readSettings(session: Json): Json {
  const agent = asText(session['agent']);
  const { id, providerID, variant } = asObject(session['model']);
  const modelID = asText(id);
  const provider = asText(providerID);
  const name = asText(variant);
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(modelID === undefined || provider === undefined
      ? {}
      : { model: { providerID: provider, modelID } }),
    ...(name === undefined || name === 'default' ? {} : { variant: name }),
  };
}
