"""`torch.autograd.anomaly_mode`: finding the forward call behind a failing backward."""

from engine.anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
