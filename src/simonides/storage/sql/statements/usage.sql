-- name: count_uses
-- The gain is what the formula of the domain adds to the item's confidence, use by use. No use is dated before the
-- item's last change: by a clock that was set back, what is used would grow old.
INSERT INTO memory_usage (tenant, item, usage_count, last_used_at, confidence_gain)
SELECT :tenant, key, 1, greatest(:at, updated_at), confidence_after_use(confidence, 1) - confidence FROM memory_items
WHERE tenant = :tenant AND key = ANY(:items)
ON CONFLICT (tenant, item) DO UPDATE SET
    usage_count = memory_usage.usage_count + 1,
    last_used_at = greatest(coalesce(memory_usage.last_used_at, excluded.last_used_at), excluded.last_used_at),
    confidence_gain = (
        SELECT confidence_after_use(least(1.0, i.confidence + memory_usage.confidence_gain), memory_usage.usage_count + 1)
            - i.confidence
        FROM memory_items AS i WHERE i.tenant = memory_usage.tenant AND i.key = memory_usage.item
    )

-- name: fold_gain
UPDATE memory_usage SET confidence_gain = 0 WHERE tenant = :tenant AND item = :item AND confidence_gain <> 0

-- name: put_usage
INSERT INTO memory_usage (tenant, item, reinforcement, usage_count, last_used_at, last_hit_at, confidence_gain)
VALUES (:tenant, :item, :reinforcement, :usage_count, :last_used_at, :last_hit_at, :gain)
ON CONFLICT (tenant, item) DO UPDATE SET
    reinforcement = excluded.reinforcement, usage_count = excluded.usage_count,
    last_used_at = excluded.last_used_at, last_hit_at = excluded.last_hit_at,
    confidence_gain = excluded.confidence_gain
