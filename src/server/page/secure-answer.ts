import type { MiddlewareHandler } from 'hono';

/**
 * What every answer of the page's port says to a browser. Nothing of other sites is loaded, nothing
 * inline is run, no form goes anywhere, nobody shows the page in a frame, and nobody else's page
 * reads an answer.
 */
export const secureHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export const secureAnswer: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(secureHeaders)) c.res.headers.set(name, value);
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
  // Cookies are not separated by port: there are none, whoever answers.
  c.res.headers.delete('set-cookie');
};
