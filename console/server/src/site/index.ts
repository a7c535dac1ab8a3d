import { Router, type RequestHandler } from 'express';
import { createWire, type Wire } from '@parley/domain/wire';
import type { ConsoleConfig } from '../settings.ts';
import { answerWaiting } from '../http/waiting-page.ts';
import type { Document } from '@parley/http/answers/document';
import { followBuild } from '@parley/http/answers/follow-build';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { openBuild, type Build } from './build.ts';
import { contentPolicy } from './policy.ts';

/** The documentation, which is built apart and may be built anew while the process runs. */
export type Site = {
  /** Serves the paths below /docs; undefined without a folder for it. */
  handler: RequestHandler | undefined;
  /** Its page about errors; undefined as long as there is none in the names of this deployment. */
  errorsPage(): Promise<{ document: Document; headers: Record<string, string> } | undefined>;
};

/** Opens nothing before the first request. `siteFolder` may be a link, which is followed at each request. */
export function createSite(config: ConsoleConfig, { wire, log }: { wire: Wire; log: Logger }): Site {
  const { siteFolder, siteLoginUrl } = config;
  if (siteFolder === undefined) return { handler: undefined, errorsPage: async () => undefined };
  const addresses = [config.publicUrl, config.contentUrl, siteLoginUrl].filter((one) => one !== undefined);
  const usesDefaultNames = wire.name === createWire().name;
  const current = followBuild(siteFolder, {
    open: openBuild,
    onBroken: (folder, err) => log.error({ err, folder }, 'failed to read the documentation'),
  });
  const headersOf = ({ scripts }: Build) => ({
    'content-security-policy': contentPolicy({ scripts, addresses }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  });

  const errorsPage: Site['errorsPage'] = async () => {
    const build = usesDefaultNames ? await current() : undefined;
    return build && { document: build.errors, headers: headersOf(build) };
  };
  const router = Router({ caseSensitive: true });
  router.get('/deployment.json', (_req, res) => {
    res.json({ login_url: siteLoginUrl ?? null });
  });
  router.use(async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const build = await current();
    if (!build) return req.accepts('html') ? answerWaiting(res, WAITING) : next();
    res.set(headersOf(build));
    build.files(req, res, (error: unknown) => {
      if (error !== undefined || !req.accepts('html')) return next(error);
      res.removeHeader('content-encoding');
      res.status(404).set({ 'content-type': HTML, 'cache-control': 'no-cache' }).send(build.notFound);
    });
  });
  return { handler: router, errorsPage };
}

const HTML = 'text/html; charset=utf-8';
const WAITING = {
  title: 'Documentation',
  heading: 'The documentation is being built',
  text: `The platform runs already; the first build of its documentation takes a minute or two. This page loads again by itself.
        If it stays, <code>.parley/local/logs/site.log</code> says why. The same documents are in the folder <code>docs</code> of
        the repository, and <a href="/docs/errors">what errors mean</a> is here at once.`,
};
