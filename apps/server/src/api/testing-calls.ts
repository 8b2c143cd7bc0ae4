/** The declared calls of the member app as tests walk them. */
import {
  account,
  bonus,
  chat,
  invite,
  limits,
  lookups,
  notifications,
  password,
  pin,
  qrcode,
  refund,
  sessions,
  site,
  slip,
  spinwheel,
  statement,
  wallet,
} from '@krapao/contract/member';
import type { CallDeclaration } from '@krapao/contract/shared';

const { readLimits, setLimit, removeLimit, takeBreak } = limits;
const { listBonuses, activateBonus, checkActive, checkMinimum, clearBonus, forfeitBonus } = bonus;
const { findPromotion, activatePromotion, currentPromotion } = bonus;
const { readChatConfig, sendChatMessage, listChatHistory, readChat, countUnreadChat } = chat;
const { uploadChatImage, uploadChatVideo } = chat;
const { listStatements } = statement;
const { uploadSlip, listSlips, readSlip, claimDeposit } = slip;

/** Every declared call by its name. */
export const CALLS: Record<string, CallDeclaration> = {
  ...account,
  ...invite,
  ...lookups,
  ...notifications,
  ...password,
  ...pin,
  ...qrcode,
  ...refund,
  ...sessions,
  ...site,
  ...spinwheel,
  ...wallet,
  readChatConfig,
  sendChatMessage,
  listChatHistory,
  readChat,
  countUnreadChat,
  uploadChatImage,
  uploadChatVideo,
  readLimits,
  setLimit,
  removeLimit,
  takeBreak,
  listBonuses,
  activateBonus,
  checkActive,
  checkMinimum,
  clearBonus,
  forfeitBonus,
  findPromotion,
  activatePromotion,
  currentPromotion,
  listStatements,
  uploadSlip,
  listSlips,
  readSlip,
  claimDeposit,
};

/** The call's path with these values, written as a browser writes them. */
export const pathOf = (call: CallDeclaration, params: Record<string, string> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? 'betflix'));

/** GETs that change something are served as POST too. */
export const methodsOf = (call: CallDeclaration): string[] =>
  call.sideEffect ? ['GET', 'POST'] : [call.method];
