import { forgetOldest } from '../../shared/forget-oldest.ts';
import { asObject, asText, type Json } from '../../shared/json.ts';
import { hasWord } from '../model-output.ts';

/**
 * Which messages the model has said something in, by the server's events. The records have a part's
 * text only when it is whole (1.18.33), which of a long answer is a minute later; of its first word
 * an event tells at once.
 */
export class SpokenMessages {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * By the head of an event about a part: each word is one, and after a message's first word none
   * says more of it.
   */
  isNews(head: string): boolean {
    const [, id] = /"messageID":"(\w+)"/.exec(head) ?? [];
    return id !== undefined && !this.#ids.has(id) && kinds.test(head);
  }

  /** Whether it is the first output of its message. */
  take({ type, properties }: Json): boolean {
    const { messageID, delta, part } = asObject(properties);
    const id = asText(messageID) ?? asText(asObject(part)['messageID']);
    if (id === undefined || this.#ids.has(id)) return false;
    const isFirst =
      type === 'message.part.delta'
        ? hasWord(delta)
        : type === 'message.part.updated' && isOutput(asObject(part));
    if (isFirst) this.#add(id);
    return isFirst;
  }

  #add(id: string): void {
    this.#ids.add(id);
    forgetOldest(this.#ids, kept);
  }
}

/** Of the newest: an older one has its words on record. */
const kept = 1000;

/**
 * A word, a thought or a call (rule 43): not the start of a step, nor what OpenCode itself puts
 * there.
 */
export function isOutput({ type, text, synthetic, ignored }: Json): boolean {
  if (type === 'tool') return true;
  if (type !== 'text' && type !== 'reasoning') return false;
  return hasWord(text) && synthetic !== true && ignored !== true;
}

const kinds = /"type":"message\.part\.delta"|"type":"(?:text|reasoning|tool)"/;
