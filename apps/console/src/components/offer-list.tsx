import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NameOffers as Offers } from '../platform/name-offers.ts';
import styles from './offer-list.module.css';

/** Choices above a field while something is typed; each child is a button. */
export function OfferList({ children }: { children: ReactNode }) {
  return <div className={styles.list}>{children}</div>;
}

/** The colleagues who fit what is typed behind an @. */
export function NameOffers({ of: { offered, choose } }: { of: Offers }) {
  if (offered.length === 0) return null;
  return (
    <OfferList>
      {offered.map((name) => (
        <button key={name} type="button" onClick={() => choose(name)}>
          <Text size="sm">{`@${name}`}</Text>
        </button>
      ))}
    </OfferList>
  );
}
