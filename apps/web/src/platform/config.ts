import type { Variant } from '@krapao/contract/shared';

const baked = import.meta.env as unknown as Record<string, string | undefined>;

/** What the build was told, from the environment variables of the same names. */
export const config = {
  variant: (baked.VARIANT === 'la' ? 'la' : 'th') as Variant,
  /** Address of the backend; empty for the same origin. */
  apiBase: baked.API_BASE ?? '',
  /** Host in invite links; empty for the page's own. */
  siteHost: baked.SITE_HOST ?? '',
  /** What gift links are hidden with; the server's setting of the same name must be the same. */
  giftPassphrase: baked.GIFT_PASSPHRASE ?? '',
  /** Whether the app may run inside another site's frame. */
  isFramed: (baked.IFRAME ?? '') !== '',
  /** Digest of the schemas of the replies kept on the device. */
  keptSchemas: baked.KEPT_SCHEMAS ?? '',
};
