import { createHash } from 'node:crypto';
import { bonuses, site, wallet, wheel } from '@krapao/contract/member';

/**
 * Returns a digest of the schemas of the replies that the home screen keeps on the device. Replies stored by a build with
 * another digest may lack fields that this build reads.
 */
export function storedSchemasDigest(): string {
  const calls = [wallet.readWallet, site.homeBanners, wheel.spinwheelActive, bonuses.checkActive];
  const schemas = JSON.stringify(calls.map(({ reply }) => reply));
  return createHash('sha256').update(schemas).digest('base64url').slice(0, 12);
}
