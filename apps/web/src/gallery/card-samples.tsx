import { STATEMENT_STATUSES } from '@krapao/contract/shared';
import { BalanceCard } from '@krapao/ui/components/balance-card.tsx';
import { GameCard, SnapCarousel } from '@krapao/ui/components/game-card.tsx';
import { svgAddress } from '@krapao/ui/components/picture.ts';
import { QrTicket } from '@krapao/ui/components/qr-ticket.tsx';
import { Receipt } from '@krapao/ui/components/receipt.tsx';
import { TicketActions } from '@krapao/ui/components/ticket-actions.tsx';
import { type BadgeTone, Tile, Tiles } from '@krapao/ui/components/tile.tsx';
import { Wheel } from '@krapao/ui/components/wheel.tsx';
import { turnTo } from '@krapao/ui/components/wheel-turn.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ArrowDownToLine, LoaderPinwheel } from 'lucide';
import { useState } from 'react';
import styles from './gallery.module.css';

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h3v3H0zM5 0h3v3H5zM0 5h3v3H0zM4 4h1v1H4z"/></svg>';
const nothing = () => undefined;
const TILE_TONES = Object.keys({
  brand: 0,
  solid: 0,
  gold: 0,
  quiet: 0,
  bad: 0,
  ok: 0,
  warn: 0,
} satisfies Record<BadgeTone, 0>) as BadgeTone[];

/** Samples with a separate surface. */
export function CardSamples() {
  const { t } = useText();
  const [expiresAt] = useState(() => Date.now() + 582_000);
  return (
    <section className={styles.group}>
      <BalanceSample />
      <OldBalanceSample />
      <Tiles>
        {TILE_TONES.map((tone) => (
          <Tile key={tone} icon={ArrowDownToLine} tone={tone} label={t('deposit.tile')} onPress={nothing} />
        ))}
        <Tile
          icon={LoaderPinwheel}
          tone="gold"
          badge={120}
          badgeLabel={t('wheel.yourCoins', { count: '120' })}
          label={t('wheel.spin')}
          onPress={nothing}
        />
      </Tiles>
      <GameSamples />
      <QrTicket
        bankCode="KBANK"
        bankName="KBANK"
        bankColor="#137a2a"
        amount={500}
        currency="BAHT"
        svg={SQUARE}
        reference="QR261121143205"
        expiresAt={expiresAt}
        totalSeconds={600}
      />
      <TicketActions
        picture={() => ({ product: t('shell.product'), title: '', amount: '500.00', lines: [] })}
        fileName="sample.png"
      />
      {STATEMENT_STATUSES.map((status) => (
        <Receipt
          key={status}
          status={status}
          title={t('type.transfer')}
          amount={500}
          sign=""
          currency="BAHT"
          when="21/11/2026 14:30:12"
          lines={[{ name: t('receipt.to'), value: t('wallet.main') }]}
          reference="TF1M8AE8EAGGJVASH"
          product={t('shell.product')}
          balanceAfter={null}
          code=""
        />
      ))}
      <Receipt
        status="FAILED"
        title={t('type.withdraw')}
        amount={1_250_000}
        sign="−"
        currency="LAK"
        when="21/11/2026 14:30:12"
        lines={[
          { name: t('receipt.from'), value: t('wallet.main'), detail: t('receipt.member', { id: '100482' }) },
          { name: t('receipt.to'), value: 'BCEL', detail: 'SOMYING JAIDEE · xxxxx3456x' },
        ]}
        reference="WD1M7Y7V8EQXAVSSXNT"
        product={t('shell.product')}
        balanceAfter={3_480_000}
        code={svgAddress(SQUARE)}
        note={t('receipt.moneyBack')}
      />
      <WheelSample />
    </section>
  );
}

function BalanceSample() {
  const { t } = useText();
  const [isHidden, setHidden] = useState(false);
  return (
    <BalanceCard
      total={12_480.75}
      wallet={8250}
      games={4230.75}
      currency="BAHT"
      age={t('money.updatedAt', { time: '21/11/2026 14:32:05' })}
      isLive
      isHidden={isHidden}
      isRefreshing={false}
      onToggleHidden={() => setHidden(!isHidden)}
      onRefresh={nothing}
      onTransfer={nothing}
    />
  );
}

/** Without a connection: figures seen before, being read again. */
function OldBalanceSample() {
  const { t } = useText();
  return (
    <BalanceCard
      total={0}
      wallet={0}
      games={0}
      currency="LAK"
      age={t('money.updatedAt', { time: '21/11/2026 14:32:05' })}
      isLive={false}
      isOld
      isKnown
      isHidden
      isRefreshing
      onToggleHidden={nothing}
      onRefresh={nothing}
      onTransfer={nothing}
    />
  );
}

const SLICES = ['฿10', '1', '฿50', '+', '฿500'].map((label, index) => ({
  code: label,
  label,
  bgColor: index % 2 ? '#0b5d4e' : '#ddeee8',
  textColor: index % 2 ? '#ffffff' : '#0b5d4e',
}));

function WheelSample() {
  const { t } = useText();
  const [turned, setTurned] = useState(0);
  const spin = () => setTurned(turnTo(turned, 2, SLICES.length));
  return (
    <Wheel label={t('wheel.title')} slices={SLICES} turned={turned} isTurning={turned % 360 !== 0}>
      <button type="button" onClick={spin}>
        {t('wheel.spin')}
      </button>
    </Wheel>
  );
}

function GameSamples() {
  const { t } = useText();
  const shared = {
    logo: '',
    letters: 'NT',
    credits: 213.07,
    worth: 2130.7,
    currency: 'BAHT',
    isHidden: false,
    onPress: nothing,
  } as const;
  return (
    <SnapCarousel title={t('game.slot')} note={t('game.openedOf', { open: 1, total: 2 })}>
      <GameCard {...shared} name="Naga Tales" isActive background="/art/naga.svg" />
      <GameCard {...shared} name="Lantern Night" isActive={false} background="/art/lantern.svg" />
      <GameCard {...shared} name="Without a picture" isActive={false} background="" />
      <GameCard {...shared} name="Hidden" isActive isHidden background="" />
      <GameCard {...shared} name="Closed" isActive isInMaintenance background="" />
    </SnapCarousel>
  );
}
