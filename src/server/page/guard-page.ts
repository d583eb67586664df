/** A request of the page's port that is not heard. */
export interface PageRefusal {
  readonly status: 400 | 403 | 405 | 429;
  readonly code: 'invalid-input' | 'foreign-origin' | 'method-not-allowed' | 'too-many';
  readonly message: string;
}

interface Head {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** With any port: whoever looks through `ssh -L` has another one than we. */
const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;
const methods = ['GET', 'POST', 'DELETE'];

/**
 * What stands before the page, where any web page in a browser can knock. By the head alone, which
 * such a page cannot forge: Host must be a loopback name (a page that had its name rebound to
 * 127.0.0.1 sends its own), and Origin, which a browser adds to everything that changes something
 * and to WebSockets, must be that same host. Undefined: it may pass.
 */
export function guardPage({ method = '', url = '', headers }: Head): PageRefusal | undefined {
  const host = one(headers['host']).toLowerCase();
  if (!loopback.test(host)) return foreign('The Host header names another server.');
  const [path = ''] = url.split('?');
  const isSocket = headers['upgrade'] !== undefined;
  const origin = headers['origin'];
  const mustNameIt = method !== 'GET' || isSocket;
  if (origin === undefined ? mustNameIt : one(origin).toLowerCase() !== `http://${host}`) {
    return foreign('The Origin header names another site, or none.');
  }
  // Browsers say whose page asks; other clients leave it out.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && one(site) !== 'same-origin' && /^\/(?:api|page)(?:\/|$)/.test(path)) {
    return foreign('Requests of other sites are refused.');
  }
  if (!methods.includes(method)) {
    const message = 'Only GET, POST and DELETE are served.';
    return { status: 405, code: 'method-not-allowed', message };
  }
  if (isSocket) {
    const message = 'There are no upgrades here.';
    return { status: 400, code: 'invalid-input', message };
  }
  return undefined;
}

function foreign(message: string): PageRefusal {
  return { status: 403, code: 'foreign-origin', message };
}

/** Said twice it is neither. */
function one(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}
