import type { Variant } from '@krapao/contract/shared';

const baked = import.meta.env as unknown as Record<string, string | undefined>;

/** The settings of the build, from the environment variables of the same names. */
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
  /** Digest of the schemas of the replies stored on the device. */
  storedSchemas: baked.KEPT_SCHEMAS ?? '',
};
