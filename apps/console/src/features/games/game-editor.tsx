import { LANGUAGE_NAMES, LANGUAGES, type Language, languageTag } from '@krapao/contract/shared';
import { parseFigure } from '@krapao/ui/text/amount-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { NewerVersion } from '../../components/newer-version.tsx';
import { PictureField } from '../../components/picture-field.tsx';
import { api } from '../../platform/api.ts';
import { type EditedVersion, useEditedVersion } from '../../platform/edited-version.ts';
import { figureProblem } from '../../platform/figure-text.ts';
import { may, useMe } from '../../platform/me.ts';
import { useSend } from '../../platform/use-send.ts';
import { ConnectionTest } from './connection-test.tsx';
import styles from './games.module.css';
import { useProviderName } from './provider-name.ts';
import type { Game, GamesReply } from './types.ts';

const STATES = ['OPEN', 'MAINTENANCE', 'OFF'] as const;
const CATEGORIES = ['slot', 'sport', 'lotto'] as const;
const REASON_LEAST = 3;
const NAME_OF = { th: 'name', la: 'nameLa', en: 'nameEn' } as const satisfies Record<Language, keyof Terms>;
const LINKS = { web: 'games.linkWeb', android: 'games.linkAndroid', ios: 'games.linkIos' } as const;

/** Decimals of a rate, and of the least credits that are moved in. */
const DECIMALS = { rate: 6, rateLak: 6, least: 2 } as const;
type FigureName = keyof typeof DECIMALS;
const figureOf = (terms: Terms, name: FigureName): number | null => parseFigure(terms[name], DECIMALS[name]);
const isUnreadable = (t: Translate, terms: Terms): boolean =>
  (Object.keys(DECIMALS) as FigureName[]).some((name) => figureProblem(t, terms[name], DECIMALS[name]));
const textOf = (figure: number | null | undefined): string => (figure == null ? '' : String(figure));

/** The form's fields, as they are typed. */
interface Terms {
  code: string;
  category: Game['category'];
  provider: string;
  agent: string;
  name: string;
  nameLa: string;
  nameEn: string;
  picture: string;
  web: string;
  android: string;
  ios: string;
  state: Game['state'];
  rate: string;
  rateLak: string;
  least: string;
  reason: string;
}

const termsOf = (game: Game | null, provider: string): Terms => ({
  code: game?.code ?? '',
  category: game?.category ?? 'slot',
  provider: game?.provider ?? provider,
  agent: game?.agent ?? '',
  name: game?.name ?? '',
  nameLa: game?.nameLa ?? '',
  nameEn: game?.nameEn ?? '',
  picture: game?.picture ?? '',
  web: game?.web ?? '',
  android: game?.android ?? '',
  ios: game?.ios ?? '',
  state: game?.state ?? 'OFF',
  rate: textOf(game?.rate ?? 1),
  rateLak: textOf(game?.rateLak),
  least: textOf(game?.least),
  reason: '',
});

/** What is sent of a new game and of a changed one alike. */
const bodyOf = (terms: Terms) => ({
  agent: terms.agent.trim(),
  name: terms.name.trim(),
  nameLa: terms.nameLa.trim() || null,
  nameEn: terms.nameEn.trim() || null,
  picture: terms.picture,
  web: terms.web.trim(),
  android: terms.android.trim(),
  ios: terms.ios.trim(),
  rate: figureOf(terms, 'rate') ?? 0,
  rateLak: figureOf(terms, 'rateLak'),
  least: figureOf(terms, 'least'),
  reason: terms.reason,
});

const save = (terms: Terms, game: Game | null) => {
  const body = bodyOf(terms);
  const { code, category, provider, state } = terms;
  return game
    ? api('PUT /api/operator/games/{code}', {
        params: { code: game.code },
        body: { ...body, state, version: game.version },
      })
    : api('POST /api/operator/games', { body: { ...body, code: code.trim(), category, provider } });
};

interface PartProps {
  of: Terms;
  put: (change: Partial<Terms>) => void;
}

/** Where a new game is found: these cannot be changed later. */
function Identity({ of, put, providers }: PartProps & Pick<GamesReply, 'providers'>) {
  const { t } = useText();
  const nameOf = useProviderName(providers);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <TextInput
        label={t('games.code')}
        description={t('games.codeNote')}
        required
        maxLength={40}
        value={of.code}
        onChange={(event) => put({ code: event.currentTarget.value.toLowerCase() })}
      />
      <Select
        label={t('games.provider')}
        description={t('games.codeNote')}
        data={providers.map(({ code }) => ({ value: code, label: nameOf(code) }))}
        value={of.provider}
        allowDeselect={false}
        onChange={(provider) => put({ provider: provider ?? of.provider })}
      />
      <Select
        label={t('games.kind')}
        description={t('games.codeNote')}
        data={CATEGORIES.map((value) => ({ value, label: t(`games.${value}`) }))}
        value={of.category}
        allowDeselect={false}
        onChange={(category) => put({ category: (category as Game['category']) ?? of.category })}
      />
    </SimpleGrid>
  );
}

function Names({ of, put }: PartProps) {
  const { t } = useText();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {LANGUAGES.map((language) => (
        <TextInput
          key={language}
          label={t('games.nameIn', { language: LANGUAGE_NAMES[language] })}
          placeholder={language === 'th' ? undefined : t('games.nameAsThai')}
          required={language === 'th'}
          lang={languageTag(language)}
          maxLength={60}
          value={of[NAME_OF[language]]}
          onChange={(event) => put({ [NAME_OF[language]]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}

function AppearanceFields({ of, put }: PartProps) {
  const { t } = useText();
  const mayUpload = may(useMe(), 'content.manage');
  return (
    <Group align="flex-start" wrap="nowrap">
      {of.picture ? (
        <img className={styles.picture} src={of.picture} alt="" />
      ) : (
        <span className={styles.picture} />
      )}
      {mayUpload ? (
        <PictureField
          picture={of.picture || null}
          note={t('games.pictureNote')}
          onChange={(picture) => put({ picture: picture?.path ?? '' })}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('games.pictureNeeds')}
        </Text>
      )}
    </Group>
  );
}

function Links({ of, put }: PartProps) {
  const { t } = useText();
  return (
    <Stack gap={6} component="fieldset" className={styles.group}>
      <Text component="legend" size="sm" fw={500}>
        {t('games.links')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {(Object.keys(LINKS) as (keyof typeof LINKS)[]).map((name) => (
          <TextInput
            key={name}
            type="url"
            label={t(LINKS[name])}
            maxLength={300}
            value={of[name]}
            onChange={(event) => put({ [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** What a credit costs, the least that is moved in, and whether the game is open. */
function Price({ of, put, hasKip, isNew }: PartProps & { hasKip: boolean; isNew: boolean }) {
  const { t } = useText();
  const figures = [
    ['rate', t('games.rate')],
    ...(hasKip ? [['rateLak', t('games.rateLakField')]] : []),
    ['least', t('games.leastField')],
  ] as [FigureName, string][];
  return (
    <SimpleGrid cols={{ base: 1, sm: figures.length }}>
      {figures.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          required={name === 'rate'}
          inputMode="decimal"
          maxLength={20}
          error={figureProblem(t, of[name], DECIMALS[name])}
          value={of[name]}
          onChange={(event) => put({ [name]: event.currentTarget.value })}
        />
      ))}
      {!isNew && (
        <Select
          label={t('col.state')}
          data={STATES.map((value) => ({ value, label: t(`games.choose-${value}`) }))}
          value={of.state}
          allowDeselect={false}
          onChange={(state) => put({ state: (state as Game['state']) ?? of.state })}
        />
      )}
    </SimpleGrid>
  );
}

interface EditorProps {
  /** null: a new one. */
  game: Game | null;
  hasKip: boolean;
  providers: GamesReply['providers'];
  onClose: () => void;
}

/** Adds a game, or changes one: the newest version of it until something is typed. */
export function GameEditor({ game, ...props }: EditorProps) {
  const edited = useEditedVersion(game, String(game?.version));
  return <GameForm key={edited.key} {...props} game={edited.value} edited={edited} />;
}

/** The form of a game; its note explains the effect of a changed rate on the money in it. */
function GameForm({
  game,
  hasKip,
  providers,
  edited,
  onClose,
}: EditorProps & { edited: EditedVersion<Game | null> }) {
  const { t } = useText();
  const send = useSend(['games']);
  // Members' players are at this agent: the server refuses another one.
  const hasAccounts = (game?.accounts ?? 0) > 0;
  const [terms, setTerms] = useState(() => termsOf(game, providers[0]?.code ?? ''));
  const [isBusy, setBusy] = useState(false);
  const put = (change: Partial<Terms>) => {
    edited.setChanged(true);
    setTerms((before) => ({ ...before, ...change }));
  };
  const isComplete =
    (isBusy || !edited.isOutdated) &&
    !isUnreadable(t, terms) &&
    [terms.code, terms.agent, terms.name, terms.rate].every((text) => text.trim() !== '') &&
    terms.reason.trim().length >= REASON_LEAST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || isBusy) return;
    setBusy(true);
    send(() => save(terms, game)).then(onClose, () => setBusy(false));
  };
  return (
    <Dialog
      onClose={onClose}
      size="xl"
      title={game ? `${t('content.change')} · ${game.name}` : t('games.add')}
      isLocked={isBusy}
    >
      <form onSubmit={submit}>
        <Stack>
          {/* While it is sent, the newer version is its own. */}
          {!isBusy && <NewerVersion of={edited} />}
          <Text size="sm" c="dimmed">
            {t(game ? 'games.note' : 'games.addNote')}
          </Text>
          {!game && <Identity of={terms} put={put} providers={providers} />}
          <Names of={terms} put={put} />
          <AppearanceFields of={terms} put={put} />
          <Links of={terms} put={put} />
          <Price of={terms} put={put} hasKip={hasKip} isNew={game === null} />
          <TextInput
            label={t('games.agent')}
            description={t(hasAccounts ? 'games.agentStays' : 'games.agentNote')}
            required
            disabled={hasAccounts}
            maxLength={60}
            value={terms.agent}
            onChange={(event) => put({ agent: event.currentTarget.value })}
          />
          <ConnectionTest
            // The outcome is of this provider and agent only.
            key={`${terms.provider} ${terms.agent.trim()}`}
            provider={terms.provider}
            agent={terms.agent.trim()}
          />
          <Textarea
            label={t('field.reason')}
            required
            autosize
            minRows={2}
            maxLength={500}
            value={terms.reason}
            onChange={(event) => put({ reason: event.currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {t('btn.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isComplete}>
              {game ? t('channel.save') : t('games.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
