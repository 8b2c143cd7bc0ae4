import { Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { KeyValue } from '@krapao/ui/components/item.tsx';
import { EmptyState, ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, ArrowUpFromLine, KeyRound, LockOpen } from 'lucide';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { playErrorText } from '../../platform/member/error-text.ts';
import { isPlayStop, PlayStop, refreshPlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { queryClient, slotAccountQuery, takeResponse } from '../../platform/member/queries.ts';
import { takeSlot, useKnownWallet } from '../../platform/member/wallet.ts';
import type { Slot } from '../../platform/member/wallet-merge.ts';
import { closeSheet, openSheet } from '../../platform/sheet-state.ts';
import { PlayButton, PlayMoney } from './play-form.tsx';
import { SlotHead } from './slot-head.tsx';
import { SlotLinks } from './slot-links.tsx';
import { type Play, usePlay } from './use-play.ts';

/** One game: open an account in it, or see its credentials and go in. `arg` is its code. */
export default function SlotSheet({ arg }: { arg: string | undefined }) {
  const { t } = useText();
  const slot = useKnownWallet().slots.find(({ code }) => code === arg);
  if (!slot) {
    return (
      <Sheet title={t('game.game')} onClose={closeSheet}>
        <EmptyState text={t('error.NO_GAME')} />
      </Sheet>
    );
  }
  return <KnownSlot slot={slot} />;
}

/** Stays while the account is opened, and with it what has been chosen and how a try ended. */
function KnownSlot({ slot }: { slot: Slot }) {
  const play = usePlay(slot);
  return slot.isActive ? <OpenSlot slot={slot} play={play} /> : <ClosedSlot slot={slot} play={play} />;
}

interface SlotProps {
  slot: Slot;
  play: Play;
}

function ClosedSlot({ slot, play }: SlotProps) {
  const { t, hold } = useText();
  const [isBusy, setBusy] = useState(false);
  const activate = async () => {
    setBusy(true);
    try {
      takeSlot(await api('GET /api/wallet/activate/{slotCode}', { params: { slotCode: slot.code } }));
    } catch (error) {
      showToast('bad', playErrorText(t, error));
      refreshPlayStop(error);
      setBusy(false);
    }
  };
  const stop = usePlayStop();
  const foot = !stop && !slot.isInMaintenance && (
    <>
      <PlayButton play={play} />
      <Button
        tone="text"
        isWide
        icon={LockOpen}
        isBusy={isBusy}
        disabled={play.step !== null}
        onClick={activate}
      >
        {t('game.open')}
      </Button>
    </>
  );
  return (
    <Sheet title={hold(slot.name)} onClose={closeSheet} footer={foot}>
      <SlotHead slot={slot} />
      {stop && <PlayStop error={stop} />}
      {foot && <PlayMoney slot={slot} play={play} />}
    </Sheet>
  );
}

function OpenSlot({ slot, play }: SlotProps) {
  const { t, hold } = useText();
  const { data: known, error, refetch, isRefetching } = useQuery(slotAccountQuery(slot.code));
  // Offers cached before an exclusion are not shown during it.
  const isStopped = isPlayStop(error);
  const data = isStopped ? undefined : known;
  const openTransfer = () => openSheet('transfer', slot.code);
  return (
    <Sheet
      title={hold(slot.name)}
      onClose={closeSheet}
      footer={
        slot.isInMaintenance ? (
          <Button isWide icon={ArrowUpFromLine} onClick={openTransfer}>
            {t('game.takeOut')}
          </Button>
        ) : (
          !isStopped && <PlayButton play={play} />
        )
      }
    >
      <SlotHead slot={slot} />
      {!isStopped && !slot.isInMaintenance && <PlayMoney slot={slot} play={play} />}
      {data && (
        <dl className={`${layout.card} ${layout.list}`}>
          <Credential name={t('game.username')} value={data.username} />
          <Credential name={t('game.password')} value={data.password} />
          {data.event && <Credential name={t('game.event')} value={data.event} />}
        </dl>
      )}
      {isStopped && <PlayStop error={error} />}
      {!data &&
        !isStopped &&
        (error ? (
          <ErrorState text={playErrorText(t, error)} onRetry={() => refetch()} />
        ) : (
          <Skeleton heights={[104]} />
        ))}
      {!isStopped && <SlotLinks slot={slot} />}
      {!isStopped && <ResetPassword slotCode={slot.code} isBusy={isRefetching} />}
      {!slot.isInMaintenance && (
        <Button tone="soft" isWide icon={ArrowLeftRight} onClick={openTransfer}>
          {t('transfer.title')}
        </Button>
      )}
    </Sheet>
  );
}

/** Confirms before the old password stops working; the new one replaces it on the page. */
function ResetPassword({ slotCode, isBusy }: { slotCode: string; isBusy: boolean }) {
  const { t } = useText();
  const [isConfirming, setConfirming] = useState(false);
  const [isResetting, setResetting] = useState(false);
  const reset = async () => {
    setConfirming(false);
    setResetting(true);
    const { queryKey } = slotAccountQuery(slotCode);
    try {
      const account = await api('GET /api/wallet/resetpassword/{slotCode}', { params: { slotCode } });
      takeResponse(queryKey, account);
      showToast('ok', t('game.resetDone'));
    } catch (error) {
      showToast('bad', playErrorText(t, error));
      // Whether the new password has arrived may not be known: what is shown must be read again.
      queryClient.resetQueries({ queryKey });
    }
    setResetting(false);
  };
  return (
    <>
      <Button
        tone="line"
        isWide
        icon={KeyRound}
        isBusy={isResetting || isBusy}
        onClick={() => setConfirming(true)}
      >
        {t('game.resetPassword')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('game.resetPassword')}
          confirmLabel={t('game.resetPassword')}
          onConfirm={reset}
          onCancel={() => setConfirming(false)}
        >
          {t('game.resetConfirm')}
        </Confirm>
      )}
    </>
  );
}

function Credential({ name, value }: { name: string; value: string }) {
  return (
    <KeyValue name={name} trail={<CopyButton text={value} label={name} />}>
      {value}
    </KeyValue>
  );
}
